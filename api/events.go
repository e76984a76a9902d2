package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

const (
	// pollEvents is how often a stream looks for new events.
	pollEvents = 50 * time.Millisecond
	// keepAlive is how often a stream without events shows that it lives.
	keepAlive = 15 * time.Second
	// writeTime is how long a reader may take to accept one write.
	writeTime = 10 * time.Second
)

// allEvents streams, unless the client asks for JSON.
func (s *Server) allEvents(w http.ResponseWriter, r *http.Request) {
	s.events(w, r, "", !strings.Contains(r.Header.Get("Accept"), "application/json"))
}

// orderEvents answers with JSON, unless the client asks for a stream.
func (s *Server) orderEvents(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.events(w, r, id, strings.Contains(r.Header.Get("Accept"), "text/event-stream"))
}

func (s *Server) events(w http.ResponseWriter, r *http.Request, orderID string, stream bool) {
	after, err := resumeAfter(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if stream {
		s.streamEvents(w, r, orderID, after)
		return
	}
	all := []step.Event{}
	for {
		page, err := s.lab.Events(r.Context(), after, orderID)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		if len(page) == 0 {
			break
		}
		all = append(all, page...)
		after = page[len(page)-1].ID
	}
	s.reply(w, r, http.StatusOK, map[string]any{"events": all})
}

// resumeAfter is the id of the last event that the client saw; 0 begins at the last reset.
func resumeAfter(r *http.Request) (int64, error) {
	name, value := "Last-Event-ID", r.Header.Get("Last-Event-ID")
	if value == "" {
		name, value = "after", r.URL.Query().Get("after")
	}
	if value == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(value, 10, 64)
	if err != nil || id < 0 {
		return 0, payments.InvalidField(name, "must be an event's id")
	}
	return id, nil
}

// streamEvents sends server-sent events until the client hangs up.
func (s *Server) streamEvents(w http.ResponseWriter, r *http.Request, orderID string, after int64) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	out := http.NewResponseController(w)
	tick := time.NewTicker(pollEvents)
	defer tick.Stop()
	lastWrite, failing := time.Time{}, false
	for {
		events, err := s.lab.Events(r.Context(), after, orderID)
		if err != nil && !failing && r.Context().Err() == nil {
			s.log.WarnContext(r.Context(), "events cannot be read now", "error", err)
		}
		failing = err != nil
		if len(events) > 0 || time.Since(lastWrite) > keepAlive {
			if writeEvents(w, out, events) != nil {
				return // The client is gone, and comes back with the last id it saw.
			}
			lastWrite = time.Now()
		}
		if len(events) > 0 {
			after = events[len(events)-1].ID
			continue
		}
		select {
		case <-tick.C:
		case <-s.closing:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// writeEvents writes and flushes; without events, a comment.
func writeEvents(w http.ResponseWriter, out *http.ResponseController, events []step.Event) error {
	if err := out.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return err
	}
	if len(events) == 0 {
		if _, err := fmt.Fprint(w, ": alive\n\n"); err != nil {
			return err
		}
	}
	for _, event := range events {
		data, err := json.Marshal(event)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "id: %d\ndata: %s\n\n", event.ID, data); err != nil {
			return err
		}
	}
	return out.Flush()
}
