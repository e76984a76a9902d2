package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"time"

	"github.com/alecthomas/kong"
	"github.com/lmittmann/tint"
	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/payments/gateway"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/rabbit"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/worker/seenset"
)

// databaseFlags say where the database is.
type databaseFlags struct {
	DatabaseURL string `name:"database-url" env:"DATABASE_URL" placeholder:"URL" help:"PostgreSQL."`
	Schema      string `name:"schema" env:"DATABASE_SCHEMA" default:"public" help:"Schema of all tables."`
}

func (d databaseFlags) check() error {
	if d.DatabaseURL == "" {
		return missingError("no database: set DATABASE_URL, or run the demo, which brings its own")
	}
	return nil
}

func (d databaseFlags) options(name string) postgres.Options {
	return postgres.Options{Schema: d.Schema, Name: name}
}

// brokerFlags say where the broker is.
type brokerFlags struct {
	AMQPURL     string `name:"amqp-url" env:"AMQP_URL" placeholder:"URL" help:"RabbitMQ."`
	QueuePrefix string `name:"queue-prefix" env:"QUEUE_PREFIX" help:"Goes before every queue's name."`
}

func (b brokerFlags) check() error {
	if b.AMQPURL == "" {
		return missingError("no broker: set AMQP_URL, or run the demo, which brings its own")
	}
	return nil
}

// redisFlags say where Redis is. The strategies that need it charge nothing without it.
type redisFlags struct {
	RedisURL string `name:"redis-url" env:"REDIS_URL" placeholder:"URL" help:"${redis_help}"`
}

// redisOf gives the way to a schema's keys; nil without Redis.
func redisOf(url string) func(schema string) lab.Flusher {
	if url == "" {
		return nil
	}
	return func(schema string) lab.Flusher { return redisKeys{url, redisPrefix(schema)} }
}

// redisPrefix keeps demos and lanes apart on one server.
func redisPrefix(schema string) string { return schema + ":" }

// redisKeys are the keys of one schema. They are emptied so rarely that no connection is kept for it.
type redisKeys struct{ url, prefix string }

// Flush forgets them.
func (r redisKeys) Flush(ctx context.Context) error {
	set, err := seenset.NewRedis(r.url, r.prefix, seenset.KeptFor)
	if err != nil {
		return err
	}
	return errors.Join(set.Flush(ctx), set.Close())
}

// Validate refuses what is no broker's address, in words that do not hold its password.
func (b brokerFlags) Validate() error {
	if b.AMQPURL == "" {
		return nil
	}
	if _, err := amqp.ParseURI(b.AMQPURL); err != nil {
		return errors.New("AMQP_URL is no address like amqp://user:password@host:5672/ (special characters as %40)")
	}
	return nil
}

func (b brokerFlags) topology() rabbit.Topology { return rabbit.Topology{Prefix: b.QueuePrefix} }

// bankFlags say which bank is charged. They belong to every command, so that every process refuses a
// live key.
type bankFlags struct {
	SecretKey string `name:"stripe-secret-key" env:"STRIPE_SECRET_KEY" placeholder:"sk_test_…" help:"${key_help}"`
	Emulator  string `name:"stripe-emulator-url" env:"STRIPE_EMULATOR_URL" default:"${emulator}" help:"${its_help}"`
	APIBase   string `name:"stripe-api-base" env:"STRIPE_API_BASE" placeholder:"URL" help:"${base_help}"`
	// Account is the emulator's account. Every lane has its own.
	Account string `name:"stripe-emulator-account" env:"STRIPE_EMULATOR_ACCOUNT" default:"demo" hidden:""`
}

// helpTexts are what does not fit beside a flag.
func helpTexts() kong.Vars {
	return kong.Vars{
		"emulator":   "http://127.0.0.1:12111",
		"key_help":   "A test key: charge at Stripe's test mode instead of the emulator.",
		"its_help":   "The emulator, used while there is no secret key.",
		"base_help":  "Another address of Stripe's API.",
		"data_help":  "Keep the state in a file; without one it is in memory.",
		"redis_help": "For the strategies that keep their seen-set there.",
		"lab_help":   "A running lab to work in. Where none answers, one is opened that lasts as long as the command.",
		"walk_help":  "A running lab; where none answers, one is started for the walkthrough.",
		"level_help": "debug, info, warn or error.",
	}
}

// Validate refuses live keys, in words that do not hold the key.
func (b bankFlags) Validate() error {
	if b.SecretKey == "" {
		return nil
	}
	return gateway.CheckKey(b.SecretKey)
}

// key is the secret key, or the emulator's account's.
func (b bankFlags) key() string {
	if b.SecretKey != "" {
		return b.SecretKey
	}
	return "sk_test_" + b.Account
}

// base is the bank's address; "" is Stripe.
func (b bankFlags) base() string {
	switch {
	case b.APIBase != "":
		return b.APIBase
	case b.SecretKey != "":
		return ""
	default:
		return b.Emulator
	}
}

// gateway makes the one code path to the bank.
func (b bankFlags) gateway(transport http.RoundTripper) (*gateway.Gateway, error) {
	return gateway.New(gateway.Config{Key: b.key(), BaseURL: b.base(), Transport: transport})
}

// labFlags switch the lab's controls and its probe on.
type labFlags struct {
	Lab bool `name:"lab" env:"LAB" help:"Switch the lab's controls, faults and trace on."`
}

// logFlags say how much is logged, to standard error.
type logFlags struct {
	LogLevel slog.Level `name:"log-level" env:"LOG_LEVEL" default:"info" help:"${level_help}"`
}

func (a *app) logger(role string) *slog.Logger {
	return slog.New(logHandler(a.stderr, a.cli.LogLevel)).With("role", role)
}

// logHandler is coloured on a terminal and plain elsewhere.
func logHandler(out io.Writer, level slog.Level) slog.Handler {
	file, isFile := out.(*os.File)
	if isFile {
		info, err := file.Stat()
		isFile = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return tint.NewTextHandler(out, &tint.Options{Level: level, TimeFormat: time.TimeOnly, NoColor: !isFile})
}

// version is the commit this binary was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return setting.Value[:min(12, len(setting.Value))]
		}
	}
	return info.Main.Version
}

// defaultDelays are the waits before the retries while the lab says nothing else.
func defaultDelays(lab bool) []time.Duration {
	if !lab {
		return []time.Duration{time.Second, 10 * time.Second, time.Minute}
	}
	return durations(step.DefaultSettings().RetryMS)
}

func durations(milliseconds []int64) []time.Duration {
	list := make([]time.Duration, len(milliseconds))
	for i, ms := range milliseconds {
		list[i] = time.Duration(ms) * time.Millisecond
	}
	return list
}
