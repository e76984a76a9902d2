// Command doublecharge is the whole lab in one binary: a command for each role, and one that runs
// everything on this machine.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"example.com/doublecharge/lab/stack"
	"example.com/doublecharge/payments"
)

// Exit codes.
const (
	exitFound   = 1 // the check found what it looks for, or the command failed
	exitUsage   = 2 // wrong use
	exitMissing = 3 // something needed is missing
)

// commands is what the command line can say.
type commands struct {
	Demo   demoCommand   `cmd:"" help:"Run everything on this machine, and print the address when it is ready."`
	API    apiCommand    `cmd:"" name:"api" help:"Serve the shop, the lab and the page."`
	Relay  relayCommand  `cmd:"" help:"Publish what the outbox holds."`
	Worker workerCommand `cmd:"" help:"Charge what the queue delivers."`
	Mailer mailerCommand `cmd:"" help:"Send the receipts that are owed."`
	Stripe stripeCommand `cmd:"" help:"Emulate Stripe's test mode. Needs no database."`

	Matrix  matrixCommand  `cmd:"" help:"Run every strategy against every fault, on real processes."`
	Explore exploreCommand `cmd:"" help:"Search every schedule of every strategy, and show what breaks it."`

	Redrive redriveCommand `cmd:"" help:"Send dead letters back to the queue, with the same message ids."`

	Scenario    scenarioCommand    `cmd:"" help:"The lessons: list them, run one, or rehearse a whole plan."`
	Walkthrough walkthroughCommand `cmd:"" help:"Be led through it in the terminal, one key at a time."`

	Migrate     migrateCommand     `cmd:"" help:"Bring the database's schema up to date, then exit."`
	Healthcheck healthcheckCommand `cmd:"" help:"Exit with 0 if an address answers. For containers."`
	Ready       readyCommand       `cmd:"" help:"Wait until all parts are ready, then print where the page is."`

	Keeper keeperCommand `cmd:"" hidden:"" help:"Clean up after a process that was killed."`
	Stack  stackCommand  `cmd:"" hidden:"" help:"Run a command with private servers."`

	Version kong.VersionFlag `help:"Print the commit this was built from."`
	bankFlags
	logFlags
}

func main() {
	if os.Getpid() == 1 {
		// The kernel protects PID 1 from its own SIGKILL, and orphans become its children.
		code, err := stack.Init(os.Args)
		if err != nil {
			fmt.Fprintln(os.Stderr, "doublecharge:", err)
		}
		os.Exit(code)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program without its process.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var cli commands
	exited, code := false, 0
	parser, err := kong.New(&cli,
		kong.Name("doublecharge"),
		kong.Description("A customer buys once and is charged twice: see it happen, and see what stops it."),
		kong.Writers(stdout, stderr),
		kong.Exit(func(status int) { exited, code = true, status }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		helpTexts(),
		kong.Vars{"version": version()},
	)
	if err != nil {
		fmt.Fprintln(stderr, "doublecharge:", err)
		return exitFound
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := parser.Parse(args)
	if exited { // Help was asked for, and given.
		return code
	}
	if err != nil {
		fmt.Fprintf(stderr, "doublecharge: %v\nSee doublecharge --help.\n", err)
		return exitUsage
	}
	a := &app{cli: &cli, args: args, stdout: stdout, stderr: stderr}
	command.BindTo(ctx, (*context.Context)(nil))
	return a.code(command.Run(a))
}

// app is what every command has at hand.
type app struct {
	cli            *commands
	args           []string
	stdout, stderr io.Writer
}

// code turns the command's end into an exit code and, for a failure, one line.
func (a *app) code(err error) int {
	var status statusError
	var server *stack.MissingError
	var missing missingError
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return 0
	case errors.As(err, &status):
		return int(status)
	}
	line := strings.Join(strings.Fields(err.Error()), " ")
	fmt.Fprintln(a.stderr, "doublecharge:", line)
	if errors.As(err, &server) || errors.As(err, &missing) || errors.Is(err, payments.ErrUnavailable) {
		return exitMissing
	}
	return exitFound
}

// missingError says what is needed and not there, and how to get it.
type missingError string

func (e missingError) Error() string { return string(e) }

// statusError is an error whose whole meaning is an exit code.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }
