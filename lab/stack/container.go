package stack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// dockerPatience bounds how long a Docker that does not answer can keep us waiting.
const dockerPatience = 5 * time.Second

// image is how a kind of server runs in a container.
type image struct {
	name string
	port int
	env  []string
	args []string
}

// container is a throwaway server in Docker, for a machine where nothing else is installed.
type container struct {
	kind   Kind
	docker string
	name   string
	port   int
	keeper *Keeper
}

// newContainer fails when Docker does not answer.
func newContainer(ctx context.Context, kind Kind, find Finder, keeper *Keeper) (*container, error) {
	docker, found := find("docker")
	if !found {
		return nil, errors.New("docker is not installed")
	}
	ports, err := freePorts(ctx, 1)
	if err != nil {
		return nil, err
	}
	// The name is ours to choose, so the keeper can know it before the container exists.
	name := fmt.Sprintf("doublecharge-%s-%d-%d", strings.ToLower(kind.Name), os.Getpid(), ports[0])
	c := &container{kind: kind, docker: docker, name: name, port: ports[0], keeper: keeper}
	asked, cancel := context.WithTimeout(ctx, dockerPatience)
	defer cancel()
	return c, c.do(asked, "version", "--format", "{{.Server.Version}}")
}

func (c *container) Kind() Kind { return c.kind }

func (c *container) URL() string { return c.kind.url(c.port) }

func (c *container) String() string {
	return fmt.Sprintf("%s in container %s on %s", c.kind.Name, c.kind.image.name, loopback(c.port))
}

// Start may take as long as downloading the image takes; only then the clock of booting runs.
func (c *container) Start(ctx context.Context) error {
	if err := c.keeper.Watch(Leftover{Container: c.name, Docker: c.docker}); err != nil {
		return err
	}
	args := []string{
		"run", "--rm", "--detach", "--name", c.name, "--label", "doublecharge=lab",
		"--publish", loopback(c.port) + ":" + strconv.Itoa(c.kind.image.port),
	}
	for _, variable := range c.kind.image.env {
		args = append(args, "--env", variable)
	}
	args = append(args, c.kind.image.name)
	if err := c.do(ctx, append(args, c.kind.image.args...)...); err != nil {
		return err
	}
	return c.await(ctx)
}

func (c *container) Restart(ctx context.Context) error {
	if err := c.do(ctx, "restart", c.name); err != nil {
		return err
	}
	return c.await(ctx)
}

func (c *container) Stop(ctx context.Context) error {
	return c.do(ctx, "rm", "--force", "--volumes", c.name)
}

func (c *container) await(ctx context.Context) error {
	if err := awaitAnswer(ctx, c.kind, c.port, nil); err != nil {
		return fmt.Errorf("start %s: %w", c, err)
	}
	return nil
}

func (c *container) do(ctx context.Context, args ...string) error {
	output, err := exec.CommandContext(ctx, c.docker, args...).CombinedOutput() //nolint:gosec // docker, with our words
	if err != nil {
		return fmt.Errorf("docker %s: %w\n%s", args[0], err, output)
	}
	return nil
}
