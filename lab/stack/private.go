package stack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// private is a throwaway server made from installed binaries. It meets no server that is already
// there: it has its own ports, its own folder and a clean environment.
type private struct {
	kind   Kind
	recipe recipe
	home   atomic.Pointer[home]

	turn    sync.Mutex // one start or stop at a time
	running []*process
}

func newPrivate(ctx context.Context, kind Kind, r recipe, root string, keeper *Keeper) (*private, error) {
	dir := filepath.Join(root, strings.ToLower(kind.Name))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make a folder for %s: %w", kind.Name, err)
	}
	p := &private{kind: kind, recipe: r}
	return p, p.settle(ctx, home{dir: dir, keeper: keeper})
}

// settle chooses the ports.
func (p *private) settle(ctx context.Context, h home) error {
	ports, err := freePorts(ctx, p.recipe.ports())
	if err != nil {
		return err
	}
	h.ports = ports
	p.home.Store(&h)
	return nil
}

func (p *private) Kind() Kind { return p.kind }

func (p *private) URL() string { return p.kind.url(p.home.Load().port()) }

func (p *private) String() string {
	return fmt.Sprintf("private %s %s on %s", p.kind.Name, p.recipe.version(), loopback(p.home.Load().port()))
}

// Start boots the server; when somebody took a port in the meantime, once more on other ports.
func (p *private) Start(ctx context.Context) error {
	p.turn.Lock()
	defer p.turn.Unlock()
	err := p.boot(ctx)
	if !errors.Is(err, errPortTaken) {
		return err
	}
	if err := p.settle(ctx, *p.home.Load()); err != nil {
		return err
	}
	return p.boot(ctx)
}

func (p *private) Restart(ctx context.Context) error {
	p.turn.Lock()
	defer p.turn.Unlock()
	p.halt(ctx)
	return p.boot(ctx)
}

func (p *private) Stop(ctx context.Context) error {
	p.turn.Lock()
	defer p.turn.Unlock()
	p.halt(ctx)
	return nil
}

// boot either leaves a server that answers, or nothing.
func (p *private) boot(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			p.halt(ctx)
		}
	}()
	h := *p.home.Load()
	if err := p.recipe.prepare(ctx, h); err != nil {
		return fmt.Errorf("prepare %s: %w", p.kind.Name, err)
	}
	var serving *process
	for _, program := range p.recipe.programs(h) {
		if serving, err = start(ctx, h, program); err != nil {
			return err
		}
		p.running = append(p.running, serving)
	}
	if err := awaitAnswer(ctx, p.kind, h.port(), serving.exited); err != nil {
		p.halt(ctx)
		if p.robbed(ctx, h) {
			err = errors.Join(err, errPortTaken)
		}
		return fmt.Errorf("start %s: %w\n%s", p.kind.Name, err, tail(h))
	}
	return nil
}

// robbed tells whether somebody else sits on a port of ours, now that nothing of ours runs.
func (p *private) robbed(ctx context.Context, h home) bool {
	return slices.ContainsFunc(h.ports, func(port int) bool { return !portFree(ctx, port) })
}

// halt ends the processes in the opposite order of their starting.
func (p *private) halt(ctx context.Context) {
	for _, running := range slices.Backward(p.running) {
		running.stop(ctx)
	}
	p.running = nil
}
