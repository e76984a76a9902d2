package rabbit_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/rabbit"
)

// failures are the positions of the results that are errors.
func failures(results []error) []int {
	var list []int
	for i, err := range results {
		if err != nil {
			list = append(list, i)
		}
	}
	return list
}

// publish publishes, and does not wait for ever.
func publish(t *testing.T, p *rabbit.Publisher, messages []payments.Message) []error {
	t.Helper()
	done := make(chan []error, 1)
	go func() { done <- p.PublishJobs(t.Context(), messages) }()
	return receive(t, "the publish ends", done)
}

// publishes tries until one message is confirmed: the loss of a connection may show only when it is used.
func publishes(t *testing.T, p *rabbit.Publisher, id string) {
	t.Helper()
	eventually(t, "it publishes", func() (bool, error) {
		return publish(t, p, []payments.Message{job(id)})[0] == nil, nil
	})
}

func TestAPublishedJobIsPersistentAndHasItsID(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if err := publish(t, b.publisher(), []payments.Message{job("m-1")})[0]; err != nil {
		t.Fatal(err)
	}
	got := b.take(b.topology.Jobs())
	if got.MessageId != "m-1" || string(got.Body) != string(job("m-1").Body) {
		t.Errorf("message %q arrived with the body %s", got.MessageId, got.Body)
	}
	if got.DeliveryMode != 2 {
		t.Errorf("its delivery mode is %d, want 2, persistent", got.DeliveryMode)
	}
}

func TestABatchOfAHundredIsConfirmedAndOneMoreIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var batch []payments.Message
	for i := range rabbit.MaxBatch {
		batch = append(batch, job(fmt.Sprint("m-", i)))
	}
	p := b.publisher()
	if list := failures(publish(t, p, batch)); len(list) != 0 {
		t.Errorf("%v failed", list)
	}
	if n := b.ready(b.topology.Jobs()); n != rabbit.MaxBatch {
		t.Errorf("%d arrived", n)
	}
	if list := failures(publish(t, p, append(batch, job("too many")))); len(list) != rabbit.MaxBatch+1 {
		t.Errorf("of one more than the largest batch, only %d failed", len(list))
	}
	if n := b.ready(b.topology.Jobs()); n != rabbit.MaxBatch {
		t.Errorf("of a batch that is too large, %d arrived", n-rabbit.MaxBatch)
	}
}

func TestWhatCannotBeRoutedIsAnErrorThoughTheBrokerConfirmsIt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.publisher()
	if err := p.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.direct.QueueUnbind(b.topology.Jobs(), "charge", b.exchange(), nil); err != nil {
		t.Fatal(err)
	}
	var batch []payments.Message
	for i := range rabbit.MaxBatch { // As many as may come back at once.
		batch = append(batch, job(fmt.Sprint("m-", i)))
	}
	results := publish(t, p, batch)
	for _, err := range results {
		wantError(t, err, payments.ErrUnavailable) // Not unknown: the broker said so of every one.
	}
	if err := b.direct.QueueBind(b.topology.Jobs(), "charge", b.exchange(), false, nil); err != nil {
		t.Fatal(err)
	}
	if err := publish(t, p, batch[:1])[0]; err != nil {
		t.Errorf("once the queue is bound again: %v", err)
	}
}

func TestAMissingExchangeIsAnErrorAndTheNextPublishDeclaresIt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.publisher()
	if err := p.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.direct.ExchangeDelete(b.exchange(), false, false); err != nil {
		t.Fatal(err)
	}
	batch := []payments.Message{job("m-1"), job("m-2")}
	results := publish(t, p, batch)
	if diff := cmp.Diff([]int{0, 1}, failures(results)); diff != "" {
		t.Fatal(diff)
	}
	wantError(t, results[0], payments.ErrUnknown)
	if list := failures(publish(t, p, batch)); len(list) != 0 {
		t.Errorf("after it was declared again, %v failed: %v", list, results)
	}
	if n := b.ready(b.topology.Jobs()); n != 2 {
		t.Errorf("%d arrived", n)
	}
}

func TestACutConnectionIsReplaced(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.publisher()
	publishes(t, p, "before")
	b.proxy.cut()
	publishes(t, p, "after")
	if got := b.take(b.topology.Jobs()).MessageId; got != "before" {
		t.Errorf("the first message is %q", got)
	}
	if got := b.take(b.topology.Jobs()).MessageId; got != "after" {
		t.Errorf("the second message is %q", got)
	}
}

func TestACutInTheMidstOfABatchConfirmsNothingThatIsNotThere(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.publisher()
	if err := p.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.proxy.swallow(true)
	done := make(chan []error, 1)
	go func() { done <- publish(t, p, []payments.Message{job("m-1"), job("m-2")}) }()
	eventually(t, "the broker has both", func() (bool, error) { return b.ready(b.topology.Jobs()) == 2, nil })
	b.proxy.cut()
	results := receive(t, "the publish ends", done)
	if diff := cmp.Diff([]int{0, 1}, failures(results)); diff != "" {
		t.Fatalf("it knows what it was never told:\n%s", diff)
	}
	wantError(t, results[0], payments.ErrUnknown)
}

func TestAConfirmThatDoesNotComeInTimeIsUnknown(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.publisher()
	publishes(t, p, "before")
	old := b.proxy.connections()
	b.proxy.swallow(true)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	done := make(chan []error, 1)
	begin := time.Now()
	go func() { done <- p.PublishJobs(ctx, []payments.Message{job("m-1")}) }()
	wantError(t, receive(t, "the publish ends", done)[0], payments.ErrUnknown)
	if after := time.Since(begin); after > 5*time.Second { // The heartbeat would end it too, but later.
		t.Errorf("it ended after %v", after)
	}
	b.proxy.swallow(false)
	publishes(t, p, "after")
	eventually(t, "the connection on which a confirm is missing is dropped", func() (bool, error) {
		now := b.proxy.connections()
		return len(now) == 1 && now[0] != old[0], nil
	})
}

func TestWithoutABrokerNothingIsPublished(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.publisher()
	p.URL = "amqp://127.0.0.1:1"
	results := publish(t, p, []payments.Message{job("m-1"), job("m-2")})
	if diff := cmp.Diff([]int{0, 1}, failures(results)); diff != "" {
		t.Fatal(diff)
	}
	wantError(t, results[0], payments.ErrUnavailable)
	wantError(t, p.Connect(t.Context()), payments.ErrUnavailable)
}

// TestEverybodyDeclaresTheSame: other arguments on an existing queue would close the channel.
func TestEverybodyDeclaresTheSame(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if err := b.topology.Declare(b.direct, b.delays); err != nil {
		t.Errorf("a second time: %v", err)
	}
	names := []string{
		b.topology.Retry(500 * time.Millisecond), b.topology.Retry(time.Second), b.topology.Retry(90 * time.Second),
	}
	prefix := b.topology.Prefix + "charge.retry."
	if diff := cmp.Diff([]string{prefix + "500ms", prefix + "1s", prefix + "90s"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestTheInspectorCountsAndPurges(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	inspector := &rabbit.Inspector{URL: b.proxy.url, Topology: b.topology, Delays: b.delays}
	t.Cleanup(inspector.Close)
	publishes(t, b.publisher(), "m-1")
	counts := func() (list []rabbit.Count) {
		t.Helper()
		list, err := inspector.Counts(t.Context(), []string{b.topology.Retry(delay)}) // It is known already.
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	want := []rabbit.Count{
		{Queue: b.topology.Jobs(), Ready: 1}, {Queue: b.topology.Retry(delay)}, {Queue: b.topology.Dead()},
	}
	if diff := cmp.Diff(want, counts()); diff != "" {
		t.Error(diff)
	}
	if err := inspector.Purge(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	want[0].Ready = 0
	if diff := cmp.Diff(want, counts()); diff != "" {
		t.Error(diff)
	}
	_, err := inspector.Counts(t.Context(), []string{b.topology.Prefix + "missing"})
	wantError(t, err, payments.ErrUnavailable)
	if diff := cmp.Diff(want, counts()); diff != "" {
		t.Errorf("after a queue that is missing:\n%s", diff)
	}
	b.proxy.cut()
	eventually(t, "it counts again after a cut", func() (bool, error) {
		_, err := inspector.Counts(t.Context(), nil)
		return err == nil, nil
	})
}
