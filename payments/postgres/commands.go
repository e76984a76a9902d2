package postgres

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments/step"
)

// ReplaceCommand asks a role's supervisor to stop its processes and start new ones.
const ReplaceCommand = "replace"

// ServersRole is the role of whoever started the servers, and can restart them; the command is the
// variable that names the server.
const ServersRole = "servers"

// Command is an order of the lab to the supervisor of a role.
type Command struct {
	ID      int64
	Command string
}

// Give writes a command and returns its id.
func (s *Store) Give(ctx context.Context, role, command string) (int64, error) {
	var id int64
	err := s.pool.QueryRow(ctx,
		`INSERT INTO lab_commands (role, command) VALUES ($1, $2) RETURNING id`, role, command).Scan(&id)
	return id, translate(err)
}

// Commands lists what a role's supervisor has still to do, oldest first.
func (s *Store) Commands(ctx context.Context, role string) ([]Command, error) {
	rows, err := s.pool.Query(ctx,
		`SELECT id, command FROM lab_commands WHERE role = $1 AND done_at IS NULL ORDER BY id`, role)
	if err != nil {
		return nil, translate(err)
	}
	commands, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Command])
	return commands, translate(err)
}

// Done says that a command was carried out.
func (s *Store) Done(ctx context.Context, id int64) error {
	_, err := s.pool.Exec(ctx, `UPDATE lab_commands SET done_at = clock_timestamp() WHERE id = $1`, id)
	return translate(err)
}

// IsDone says whether a command was carried out.
func (s *Store) IsDone(ctx context.Context, id int64) (bool, error) {
	var done bool
	err := s.pool.QueryRow(ctx, `SELECT done_at IS NOT NULL FROM lab_commands WHERE id = $1`, id).Scan(&done)
	return done, translate(err)
}

// Processes lists the living processes.
func (s *Store) Processes(ctx context.Context) ([]step.Process, error) {
	rows, err := s.pool.Query(ctx, `SELECT role, number, start, instance, pid, start - 1 FROM process_starts
		WHERE ended_at IS NULL AND process_alive(instance) ORDER BY role, number`)
	if err != nil {
		return nil, translate(err)
	}
	processes, err := pgx.CollectRows(rows, pgx.RowToStructByPos[step.Process])
	return processes, translate(err)
}

// ReadyRoles tells, for every role that has a living process, whether one of them is ready.
func (s *Store) ReadyRoles(ctx context.Context) (map[string]bool, error) {
	rows, err := s.pool.Query(ctx, `SELECT role, bool_or(ready) FROM processes
		WHERE ended_at IS NULL AND process_alive(instance) GROUP BY role`)
	if err != nil {
		return nil, translate(err)
	}
	roles := map[string]bool{}
	var role string
	var ready bool
	_, err = pgx.ForEachRow(rows, []any{&role, &ready}, func() error {
		roles[role] = ready
		return nil
	})
	return roles, translate(err)
}

// ReadyCount is how many living processes of a role do their work.
func (s *Store) ReadyCount(ctx context.Context, role string) (int, error) {
	var n int
	err := s.pool.QueryRow(ctx, `SELECT count(*) FROM processes
		WHERE role = $1 AND ready AND ended_at IS NULL AND process_alive(instance)`, role).Scan(&n)
	return n, translate(err)
}

// Ended says that the supervisor saw a process end. Its pid tells which start of the number it was.
func (s *Store) Ended(ctx context.Context, role string, number, pid int) error {
	_, err := s.pool.Exec(ctx, `UPDATE processes SET ended_at = clock_timestamp()
		WHERE role = $1 AND number = $2 AND pid = $3 AND ended_at IS NULL`, role, number, pid)
	return translate(err)
}

// EndStale says of processes whose supervisor was killed with them that they ended.
func (s *Store) EndStale(ctx context.Context, role string) error {
	_, err := s.pool.Exec(ctx, `UPDATE processes SET ended_at = clock_timestamp()
		WHERE role = $1 AND ended_at IS NULL AND NOT process_alive(instance)
`, role)
	return translate(err)
}

// Workers is how many workers the lab wants; 0 while nobody said so.
func (s *Store) Workers(ctx context.Context) (int, error) {
	var workers int
	err := s.pool.QueryRow(ctx,
		`SELECT coalesce(max(value::int), 0) FROM lab_settings WHERE name = 'workers'`).Scan(&workers)
	return workers, translate(err)
}

// StartWithWorkers makes the number of workers that a supervisor begins with the lab's setting, unless
// there is one.
func (s *Store) StartWithWorkers(ctx context.Context, workers int) error {
	_, err := s.pool.Exec(ctx,
		`INSERT INTO lab_settings (name, value) VALUES ('workers', $1) ON CONFLICT DO NOTHING`, strconv.Itoa(workers))
	return translate(err)
}
