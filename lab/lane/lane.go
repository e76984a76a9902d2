package lane

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"time"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/stack"
	"example.com/doublecharge/payments/postgres"
)

// Config says where the servers are, and how the processes of a lane come into being.
type Config struct {
	DatabaseURL, AMQPURL, RedisURL string
	// Emulator is the bank's address. A lane never charges anywhere else.
	Emulator string
	// Supervisor makes the supervisor of one role.
	Supervisor func(context.Context, Role) (*stack.Supervisor, error)
	// Redis gives the way to empty a lane's keys, by its schema; nil without Redis.
	Redis   func(schema string) lab.Flusher
	Version string
	Log     *slog.Logger
}

// Role is one role of a lane.
type Role struct {
	Name     string
	Children int
	Listener *os.File // nil: it serves nothing
	Env      []string
	Store    *postgres.Store
}

// Workers is how many workers a lane has when a run does not say otherwise.
const Workers = 2

// Lane is a shop of its own. One run at a time.
type Lane struct {
	Lab *lab.Lab

	config  Config
	number  *postgres.LaneNumber
	base    string // the api's address
	client  *http.Client
	roles   map[string]*stack.Supervisor
	stop    context.CancelFunc
	running sync.WaitGroup
	dirty   bool // something of the last run may still be on its way
}

// Name is the lane's schema, and begins the names of all that is its own.
func (l *Lane) Name() string { return fmt.Sprintf("lane_%d", l.number.Number) }

// Close ends the processes and removes what the lane had. It returns when nothing is left.
func (l *Lane) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
	defer cancel()
	l.stop()
	l.running.Wait()
	defer l.number.Release(ctx)
	defer l.client.CloseIdleConnections()
	if l.Lab == nil { // It never came so far.
		return nil
	}
	defer l.Lab.Store.Close()
	defer l.Lab.Queues.Close()
	return l.wipe(ctx)
}

// wipe removes schema, queues, keys and the bank's account.
func (l *Lane) wipe(ctx context.Context) error {
	err := errors.Join(
		postgres.DropSchema(ctx, l.config.DatabaseURL, l.Name()),
		l.Lab.Queues.Delete(ctx, delays()),
		l.Lab.Emulator.Reset(ctx),
	)
	if l.Lab.Redis != nil {
		err = errors.Join(err, l.Lab.Redis.Flush(ctx))
	}
	return err
}
