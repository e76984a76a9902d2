package lab_test

import (
	"context"
	"testing"
	"time"

	"example.com/doublecharge/payments/step"
)

// short is for waits that end in vain. They prove nothing by being slow, so it only has to be a few
// readings long.
const short = 700 * time.Millisecond

// restless waits a short time, in which all must not become quiet.
func (b *bench) restless(why string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), short)
	defer cancel()
	if quiet, err := b.Wait(ctx); err != nil || quiet {
		b.t.Errorf("with %s it is quiet: %v, %v", why, quiet, err)
	}
	if state, err := b.State(b.t.Context()); err != nil || state.Quiet {
		b.t.Errorf("with %s the state says quiet: %v, %v", why, state.Quiet, err)
	}
}

// calm waits until all is quiet.
func (b *bench) calm(when string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), limit)
	defer cancel()
	if quiet, err := b.Wait(ctx); err != nil || !quiet {
		b.t.Fatalf("%s it is quiet: %v, %v", when, quiet, err)
	}
}

func TestItIsQuietWhenNothingIsOnItsWay(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.calm("at first")
	order := b.buy()
	b.restless("a row in the outbox")
	b.relay()
	b.calm("when it is sent")
	if err := b.Redeliver(t.Context(), order.ID, "", 1); err != nil {
		t.Fatal(err)
	}
	b.restless("a redelivery in the outbox")
	b.relay()
	if state, err := b.State(t.Context()); err != nil || !state.Quiet {
		t.Errorf("the state says quiet: %v, %v", state.Quiet, err)
	}
}

func TestAMessageInAnyQueueIsOnItsWay(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	topology := b.Queues.Topology
	for why, queue := range map[string]string{
		"a ready message": topology.Jobs(),
		"a waiting retry": topology.Retry(retryDelay),
		"a dead letter":   topology.Dead(),
	} {
		b.publish(queue)
		b.restless(why)
		b.drain(queue)
		b.calm("after " + why)
	}
}

// TestARetryInAQueueOfAnotherDelayIsOnItsWay: the delays are a setting, and were another one before.
func TestARetryInAQueueOfAnotherDelayIsOnItsWay(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	queue := b.Queues.Topology.Retry(7 * time.Minute)
	if err := b.Queues.Topology.Declare(b.channel, []time.Duration{7 * time.Minute}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = b.channel.QueueDelete(queue, false, false, false) })
	b.calm("before")
	settled := step.Detail{How: "retry", Queue: queue}
	if _, err := b.worker().Record(t.Context(), step.WorkerSettled, settled); err != nil {
		t.Fatal(err)
	}
	b.publish(queue)
	b.restless("a retry in a queue that the trace names")
}

func TestAWorkerInItsTurnIsNotQuiet(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	worker := b.worker()
	b.calm("with an idle worker")
	b.record(worker, step.WorkerReceived, "m-1")
	b.restless("a worker in its turn")
	b.record(worker, step.WorkerAcked, "m-1")
	b.restless("a worker after an early ack")
	b.record(worker, step.WorkerSettled, "m-1")
	b.calm("after its turn")
}

// TestItIsNotQuietWhileTheTraceGrows has nothing on its way, and somebody who writes all the same.
func TestItIsNotQuietWhileTheTraceGrows(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	worker := b.worker()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	stopped := make(chan struct{})
	writing, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		defer close(stopped)
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for writing.Err() == nil {
			if _, err := worker.Record(writing, step.HTTPRequest, step.Detail{}); err != nil {
				t.Error(err)
				return
			}
			<-tick.C
		}
	}()
	short, end := context.WithTimeout(t.Context(), short)
	defer end()
	quiet, err := b.Wait(short)
	if err != nil {
		t.Error(err)
	}
	// On a machine that is very busy the writer itself may have paused for as long as quiet takes.
	const pauses = `SELECT count(*) FROM (SELECT at - lag(at) OVER (ORDER BY row_id) AS pause FROM lab_trace) rows
		WHERE pause > interval '90 milliseconds'`
	if quiet && b.count(pauses) == 0 {
		t.Error("with a trace that grows it is quiet")
	}
	stop()
	receive(t, "the writer stops", stopped)
	b.calm("when it grows no more")
}

func TestAnArmedFaultDoesNotCount(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if _, err := b.Arm(t.Context(), fault()); err != nil {
		t.Fatal(err)
	}
	b.calm("with an armed fault")
}

func TestAWaitEndsWhenTheLastThingIsDone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.buy()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	quiet := make(chan bool, 1)
	go func() {
		ok, err := b.Wait(ctx)
		if err != nil {
			t.Error(err)
		}
		quiet <- ok
	}()
	b.relay()
	if !receive(t, "the wait ends", quiet) {
		t.Error("it is not quiet")
	}
}

func TestAWaitThatIsGivenUpIsNoError(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if quiet, err := b.Wait(ctx); quiet || err != nil {
		t.Errorf("got %v, %v", quiet, err)
	}
}
