package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"example.com/doublecharge/api"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/step"
)

// writer writes the trace of a process, beside the api.
func (s *shop) writer() *postgres.Recorder {
	return postgres.NewRecorder(s.store, step.Process{Role: "worker", Number: 1})
}

// trace writes events whose charge ids tell which is which.
func (s *shop) trace(t *testing.T, orderID string, names ...string) {
	t.Helper()
	ctx := step.About(t.Context(), step.Subject{OrderID: orderID})
	for _, name := range names {
		if _, err := s.writer().Record(ctx, step.WorkerCharged, step.Detail{ChargeID: name}); err != nil {
			t.Fatal(err)
		}
	}
}

// stream is an open stream of server-sent events.
type stream struct {
	lines  chan string
	header http.Header
	close  func()
}

// listen opens a stream. Its lines end when it does.
func (s *shop) listen(t *testing.T, path string, edits ...func(*http.Request)) *stream {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	// The client's own limit is for answers that end.
	client := &http.Client{Transport: s.client.Transport}
	request := s.request(t, http.MethodGet, path, "", edits...).WithContext(ctx)
	response, err := client.Do(request) //nolint:bodyclose // Whoever reads the lines closes it.
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%s: %d %v", path, response.StatusCode, response.Header)
	}
	out := &stream{lines: make(chan string, 1000), header: response.Header, close: cancel}
	go func() {
		defer close(out.lines)
		defer func() { _ = response.Body.Close() }()
		for scanner := bufio.NewScanner(response.Body); scanner.Scan(); {
			out.lines <- scanner.Text()
		}
	}()
	return out
}

// next reads so many events, and says their ids and names.
func (s *stream) next(t *testing.T, n int) (ids []int64, names []string) {
	t.Helper()
	var id int64
	for len(ids) < n {
		line := receive(t, "the next event", s.lines)
		if value, ok := strings.CutPrefix(line, "id: "); ok {
			var err error
			if id, err = strconv.ParseInt(value, 10, 64); err != nil {
				t.Fatal(err)
			}
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			var event step.Event
			if err := json.Unmarshal([]byte(data), &event); err != nil || event.ID != id ||
				event.Step != step.WorkerCharged {
				t.Fatalf("id %d with %s, %v", id, data, err)
			}
			ids, names = append(ids, id), append(names, event.Detail.ChargeID)
		}
	}
	return ids, names
}

func TestAStreamShowsWhatIsCommitted(t *testing.T) {
	t.Parallel()
	s := openLab(t)
	s.trace(t, "", "a", "b")
	events := s.listen(t, "/lab/events")
	if events.header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers: %v", events.header)
	}
	if _, names := events.next(t, 2); !slices.Equal(names, []string{"a", "b"}) {
		t.Errorf("what was there: %v", names)
	}
	for _, name := range []string{"c", "d"} { // Each is seen while the stream is open, before the next is there.
		s.trace(t, "", name)
		if _, names := events.next(t, 1); !slices.Equal(names, []string{name}) {
			t.Errorf("got %v, want %s", names, name)
		}
	}
}

// TestAStreamResumesExactlyAfterTheLastEvent, while others write all the time.
func TestAStreamResumesExactlyAfterTheLastEvent(t *testing.T) {
	t.Parallel()
	s := openLab(t)
	const writers, each = 4, 25
	for w := range writers {
		go func() {
			for i := range each {
				_, err := s.writer().Record(t.Context(), step.WorkerCharged,
					step.Detail{ChargeID: fmt.Sprint(w, "-", i)})
				if err != nil {
					t.Error(err)
				}
			}
		}()
	}
	var ids []int64
	var names []string
	for first := true; len(ids) < writers*each; first = false {
		var edits []func(*http.Request)
		if !first {
			edits = append(edits, as("Last-Event-Id", strconv.FormatInt(ids[len(ids)-1], 10)))
		}
		events := s.listen(t, "/lab/events", edits...)
		moreIDs, moreNames := events.next(t, min(7, writers*each-len(ids)))
		ids, names = append(ids, moreIDs...), append(names, moreNames...)
		events.close() // The connection breaks.
	}
	if !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != writers*each {
		t.Errorf("ids: %v", ids)
	}
	slices.Sort(names)
	if n := len(slices.Compact(names)); n != writers*each {
		t.Errorf("%d different events of %d", n, writers*each)
	}
	after := s.listen(t, "/lab/events?after="+strconv.FormatInt(ids[len(ids)-2], 10))
	if got, _ := after.next(t, 1); got[0] != ids[len(ids)-1] {
		t.Errorf("after= begins at %d, want %d", got[0], ids[len(ids)-1])
	}
}

// TestAStreamEndsWithItsClient: nothing is left running for a reader that is gone.
func TestAStreamEndsWithItsClient(t *testing.T) {
	t.Parallel()
	contexts := make(chan context.Context, 1000)
	config := openLab(t, func(c *api.Config) { c.Lab = noticing{c.Lab, contexts} }).config
	ended := make(chan struct{})
	handler := api.New(config)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	s := &shop{url: server.URL, client: server.Client()}
	events := s.listen(t, "/lab/events")
	receive(t, "a sign of life", events.lines)
	reading := receive(t, "the first look for events", contexts)
	events.close()
	receive(t, "the request to end", reading.Done())
	receive(t, "the handler to end", ended)
}

// TestAStreamEndsWhenTheServerCloses, and a request does not.
func TestAStreamEndsWhenTheServerCloses(t *testing.T) {
	t.Parallel()
	closing := make(chan struct{})
	s := openLab(t, func(c *api.Config) { c.Closing = closing })
	events := s.listen(t, "/lab/events")
	receive(t, "a sign of life", events.lines)
	close(closing)
	for open := true; open; {
		select {
		case _, open = <-events.lines:
		case <-time.After(limit):
			t.Fatal("the stream goes on")
		}
	}
	if answer := s.buy(t, "ayse", "k", coffee); answer.status != http.StatusAccepted {
		t.Errorf("a checkout: %d %s", answer.status, answer.body)
	}
}

// noticing tells of the contexts in which events are read.
type noticing struct {
	api.Lab
	contexts chan<- context.Context
}

func (n noticing) Events(ctx context.Context, after int64, orderID string) ([]step.Event, error) {
	select {
	case n.contexts <- ctx:
	default:
	}
	return n.Lab.Events(ctx, after, orderID)
}

func TestEventsOfAnOrder(t *testing.T) {
	t.Parallel()
	s := openLab(t)
	mine, other := uuid.NewString(), uuid.NewString()
	s.trace(t, mine, "a", "b")
	s.trace(t, other, "x")
	s.trace(t, mine, "c")
	read := func(path string, edits ...func(*http.Request)) (ids []int64, names []string) {
		answer := s.do(t, http.MethodGet, path, "", edits...)
		var list struct{ Events []step.Event }
		if err := json.Unmarshal([]byte(answer.body), &list); err != nil || answer.status != http.StatusOK ||
			list.Events == nil {
			t.Fatalf("%s: %d %s, %v", path, answer.status, answer.body, err)
		}
		for _, event := range list.Events {
			ids, names = append(ids, event.ID), append(names, event.Detail.ChargeID)
		}
		return ids, names
	}
	path := "/lab/orders/" + mine + "/events"
	ids, names := read(path)
	if !slices.Equal(names, []string{"a", "b", "c"}) {
		t.Errorf("got %v", names)
	}
	if _, names := read(path + "?after=" + strconv.FormatInt(ids[0], 10)); !slices.Equal(names, []string{"b", "c"}) {
		t.Errorf("after the first: %v", names)
	}
	if _, names := read("/lab/orders/" + strings.ToUpper(mine) + "/events"); len(names) != 3 {
		t.Errorf("an id in capitals is the same id: %v", names)
	}
	if _, names := read("/lab/orders/" + uuid.NewString() + "/events"); len(names) != 0 {
		t.Errorf("of nobody: %v", names)
	}
	if _, names := read("/lab/events", as("Accept", "application/json")); !slices.Equal(names,
		[]string{"a", "b", "x", "c"}) {
		t.Errorf("all, as JSON: %v", names)
	}
	events := s.listen(t, path, as("Accept", "text/event-stream"))
	if _, names := events.next(t, 3); !slices.Equal(names, []string{"a", "b", "c"}) {
		t.Errorf("as a stream: %v", names)
	}
}

// TestMoreEventsThanOneReading: the JSON has all of them, however many.
func TestMoreEventsThanOneReading(t *testing.T) {
	t.Parallel()
	s := openLab(t)
	_, err := s.store.Pool().Exec(t.Context(), `INSERT INTO lab_trace (order_id, message_id, delivery, step, detail)
		SELECT '', '', 0, 'worker.charged', '{}' FROM generate_series(1, 1234)`)
	if err != nil {
		t.Fatal(err)
	}
	answer := s.do(t, http.MethodGet, "/lab/events", "", as("Accept", "application/json"))
	if n := strings.Count(answer.body, `"step":"worker.charged"`); n != 1234 {
		t.Errorf("%d events", n)
	}
}
