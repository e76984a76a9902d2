package stack

import (
	"context"
	"net"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// Redis keeps a seen-set in memory, and forgets it when it stops: that is what the lab shows with it.
func Redis() Kind {
	return Kind{
		Name:     "Redis",
		Variable: "REDIS_URL",
		Install:  "apt install redis-server, or brew install redis",
		url:      func(port int) string { return "redis://" + loopback(port) + "/0" },
		answers:  func(conn net.Conn) error { return expect(conn, "PING\r\n", "+PONG") },
		image:    image{name: "redis:8-alpine", port: 6379},
		locate:   locateRedis,
	}
}

type redisRecipe struct{ server, number string }

func locateRedis(ctx context.Context, find Finder) (recipe, bool) {
	server, found := find("redis-server")
	if !found {
		return nil, false
	}
	number, err := exec.CommandContext(ctx, server, "--version").Output() //nolint:gosec // an installed program
	return redisRecipe{server, versionIn(string(number))}, err == nil
}

func (r redisRecipe) version() string { return r.number }

func (r redisRecipe) ports() int { return 1 }

func (r redisRecipe) prepare(context.Context, home) error { return nil }

func (r redisRecipe) programs(h home) []program {
	return []program{{
		path: r.server,
		args: []string{
			"--port", strconv.Itoa(h.port()), "--bind", "127.0.0.1",
			"--dir", h.dir, "--save", "", "--appendonly", "no",
		},
		env:      []string{"PATH=" + os.Getenv("PATH"), "HOME=" + h.dir},
		farewell: []syscall.Signal{syscall.SIGTERM},
	}}
}
