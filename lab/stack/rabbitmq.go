package stack

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// RabbitMQ is the broker that keeps its promise to deliver at least once.
func RabbitMQ() Kind {
	return Kind{
		Name:     "RabbitMQ",
		Variable: "AMQP_URL",
		Install:  "apt install rabbitmq-server, or brew install rabbitmq",
		url:      func(port int) string { return "amqp://guest:guest@" + loopback(port) },
		answers:  rabbitAnswers,
		image:    image{name: "rabbitmq:4-management-alpine", port: 5672},
		locate:   locateRabbit,
	}
}

// rabbitAnswers sends the protocol header of AMQP 0-9-1; a broker that is up answers with a method
// frame, whose first byte is 1.
func rabbitAnswers(conn net.Conn) error {
	return expect(conn, "AMQP\x00\x00\x09\x01", "\x01")
}

// rabbitRecipe starts two processes: the broker, and epmd, in which Erlang nodes register. The broker
// would start an epmd by itself, but that one detaches and outlives it; ours is a child like any other.
type rabbitRecipe struct {
	server, epmd string
}

func locateRabbit(_ context.Context, find Finder) (recipe, bool) {
	server, found := find("rabbitmq-server")
	epmd, both := find("epmd")
	return rabbitRecipe{server, epmd}, found && both
}

func (r rabbitRecipe) version() string {
	path, err := filepath.EvalSymlinks(r.server)
	if err != nil {
		return ""
	}
	return versionIn(path)
}

func (r rabbitRecipe) ports() int { return 3 } // AMQP, Erlang distribution, epmd

func (r rabbitRecipe) prepare(_ context.Context, h home) error {
	files := map[string]string{
		"plugins":       "[].\n",
		"environment":   "",
		"rabbitmq.conf": "disk_free_limit.absolute = 16MB\n",
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(h.dir, name), []byte(content), 0o600); err != nil {
			return fmt.Errorf("write settings: %w", err)
		}
	}
	return nil
}

func (r rabbitRecipe) programs(h home) []program {
	env := r.environment(h)
	epmd := program{
		path:     r.epmd,
		args:     []string{"-port", strconv.Itoa(h.ports[2]), "-address", "127.0.0.1"},
		env:      env,
		farewell: []syscall.Signal{syscall.SIGTERM},
	}
	broker := program{path: r.server, env: env, farewell: []syscall.Signal{syscall.SIGTERM}}
	return []program{epmd, broker}
}

func (r rabbitRecipe) environment(h home) []string {
	in := func(name string) string { return filepath.Join(h.dir, name) }
	return []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + h.dir, // the Erlang cookie is made here
		fmt.Sprintf("RABBITMQ_NODENAME=rabbit%d@localhost", h.port()),
		"RABBITMQ_NODE_IP_ADDRESS=127.0.0.1",
		"RABBITMQ_NODE_PORT=" + strconv.Itoa(h.port()),
		"RABBITMQ_DIST_PORT=" + strconv.Itoa(h.ports[1]),
		"ERL_EPMD_PORT=" + strconv.Itoa(h.ports[2]),
		"ERL_EPMD_ADDRESS=127.0.0.1",
		"RABBITMQ_MNESIA_BASE=" + in("mnesia"),
		"RABBITMQ_LOG_BASE=" + in("logs"),
		"RABBITMQ_LOGS=-", // to standard output, and so into the log file beside it
		"RABBITMQ_PID_FILE=" + in("pid"),
		"RABBITMQ_ENABLED_PLUGINS_FILE=" + in("plugins"),
		"RABBITMQ_CONF_ENV_FILE=" + in("environment"),
		"RABBITMQ_CONFIG_FILE=" + in("rabbitmq.conf"),
		"RABBITMQ_ADVANCED_CONFIG_FILE=" + in("advanced.config"),
		"RABBITMQ_GENERATED_CONFIG_DIR=" + in("generated"),
		// Two schedulers are enough: the demo shares a laptop with a browser and a projector.
		"RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=+S 2:2 -kernel inet_dist_use_interface {127,0,0,1}",
		// The start script then replaces itself by the Erlang machine instead of standing in front of
		// it, so that the process we start is the one that takes our signals.
		"RUNNING_UNDER_SYSTEMD=true",
	}
}
