package stack

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// Postgres is the truth of the shop. Fast gives up what protects data from a power cut, which no
// test needs; a killed process loses nothing either way.
func Postgres(fast bool) Kind {
	return Kind{
		Name:     "PostgreSQL",
		Variable: "DATABASE_URL",
		Install:  "apt install postgresql, or brew install postgresql",
		url: func(port int) string {
			return fmt.Sprintf("postgres://app@%s/postgres?sslmode=disable", loopback(port))
		},
		answers: postgresAnswers,
		image: image{
			name: "postgres:17-alpine",
			port: 5432,
			env:  []string{"POSTGRES_USER=app", "POSTGRES_DB=postgres", "POSTGRES_HOST_AUTH_METHOD=trust"},
			args: append([]string{"postgres"}, postgresSettings(fast)...),
		},
		locate: func(ctx context.Context, find Finder) (recipe, bool) {
			return locatePostgres(ctx, find, fast)
		},
	}
}

// postgresAnswers opens a session. The port accepts connections while the server still recovers,
// but only a server that is up answers R, authentication is fine.
func postgresAnswers(conn net.Conn) error {
	const protocol3 = 196608
	words := "user\x00app\x00database\x00postgres\x00\x00"
	opening := binary.BigEndian.AppendUint32(nil, uint32(8+len(words)))
	opening = binary.BigEndian.AppendUint32(opening, protocol3)
	return expect(conn, string(opening)+words, "R")
}

func postgresSettings(fast bool) []string {
	settings := []string{"-c", "max_connections=300"}
	if fast {
		settings = append(settings, "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off")
	}
	return settings
}

type postgresRecipe struct {
	postgres, initdb string
	number           string
	as               *syscall.Credential // nil: as ourselves
	fast             bool
}

func locatePostgres(ctx context.Context, find Finder, fast bool) (recipe, bool) {
	postgres, found := find("postgres")
	initdb, both := find("initdb")
	if !found || !both {
		return nil, false
	}
	number, err := exec.CommandContext(ctx, postgres, "--version").Output() //nolint:gosec // an installed program
	as, allowed := postgresUser()
	if err != nil || !allowed {
		return nil, false
	}
	return postgresRecipe{postgres, initdb, versionIn(string(number)), as, fast}, true
}

// postgresUser is who runs PostgreSQL, which refuses to run as root: its own user, or nobody.
func postgresUser() (as *syscall.Credential, allowed bool) {
	if os.Geteuid() != 0 {
		return nil, true
	}
	for _, name := range []string{"postgres", "nobody"} {
		account, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.ParseUint(account.Uid, 10, 32)
		gid, errGID := strconv.ParseUint(account.Gid, 10, 32)
		if errUID == nil && errGID == nil {
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, true
		}
	}
	return nil, false
}

func (r postgresRecipe) version() string { return r.number }

func (r postgresRecipe) ports() int { return 1 }

func (r postgresRecipe) prepare(ctx context.Context, h home) error {
	if _, err := os.Stat(filepath.Join(dataFolder(h), "PG_VERSION")); err == nil {
		return nil
	}
	if r.as != nil {
		if err := os.Chown(h.dir, int(r.as.Uid), int(r.as.Gid)); err != nil {
			return fmt.Errorf("give the folder to the user of PostgreSQL: %w", err)
		}
	}
	return run(ctx, h, r.program(h, r.initdb,
		"--username=app", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"))
}

func (r postgresRecipe) programs(h home) []program {
	// No Unix socket: its path may be at most 107 bytes long, and temporary folders on macOS are longer.
	args := append(postgresSettings(r.fast), "-p", strconv.Itoa(h.port()),
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=")
	server := r.program(h, r.postgres, args...)
	// SIGINT ends the sessions and writes a checkpoint, SIGQUIT does neither but still frees the
	// shared memory, which SIGKILL would leave in the machine.
	server.farewell = []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT}
	server.abort = syscall.SIGQUIT
	return []program{server}
}

func (r postgresRecipe) program(h home, path string, args ...string) program {
	return program{
		path: path,
		args: append([]string{"-D", dataFolder(h)}, args...),
		env:  []string{"PATH=" + os.Getenv("PATH"), "HOME=" + h.dir, "LC_ALL=C"},
		as:   r.as,
	}
}

func dataFolder(h home) string { return filepath.Join(h.dir, "data") }
