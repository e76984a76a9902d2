package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"example.com/doublecharge/payments/step"
)

type healthcheckCommand struct {
	URL string `arg:"" optional:"" default:"http://127.0.0.1:4242/healthz" help:"What must answer."`
}

// Run asks once.
func (c *healthcheckCommand) Run(ctx context.Context, _ *app) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	status, _, err := get(ctx, c.URL)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("%s answered %d", c.URL, status)
	}
	return nil
}

type readyCommand struct {
	URL     string        `default:"http://127.0.0.1:4242" env:"READY_URL" help:"The api."`
	Page    string        `env:"READY_PAGE" help:"The address to print, if it is another."`
	Timeout time.Duration `default:"3m" help:"How long to wait."`
}

// Run waits, and prints the box.
func (c *readyCommand) Run(ctx context.Context, a *app) error {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	if err := waitReady(ctx, c.URL, nil); err != nil {
		return err
	}
	page := c.Page
	if page == "" {
		page = c.URL
	}
	printBox(a.stdout, page)
	return nil
}

// waitReady asks until all parts are ready. Progress hears what is missing, each time that changes.
func waitReady(ctx context.Context, url string, progress func(missing string)) error {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	last := ""
	for {
		missing, err := missingParts(ctx, url)
		if err == nil && missing == "" {
			return nil
		}
		if progress != nil && missing != last {
			progress(missing)
		}
		last = missing
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("not ready in time: waiting for %s", last)
		}
	}
}

func missingParts(ctx context.Context, url string) (string, error) {
	_, body, err := get(ctx, url+"/readyz")
	if err != nil {
		return "the api", err
	}
	var ready struct {
		Parts []step.Part `json:"parts"`
	}
	if err := json.Unmarshal(body, &ready); err != nil {
		return "the api", fmt.Errorf("read %s/readyz: %w", url, err)
	}
	var missing []string
	for _, part := range ready.Parts {
		if !part.Ready {
			missing = append(missing, part.WaitingFor)
		}
	}
	return strings.Join(missing, ", "), nil
}

func get(ctx context.Context, url string) (status int, body []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, nil, fmt.Errorf("ask %s: %w", url, err)
	}
	client := &http.Client{Timeout: 5 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, fmt.Errorf("ask %s: %w", url, err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err = io.ReadAll(io.LimitReader(response.Body, 1<<20))
	return response.StatusCode, body, err
}

// printBox prints the one line that people wait for.
func printBox(out io.Writer, url string) {
	line := "  Ready: " + url + "  "
	bar := strings.Repeat("─", len(line))
	fmt.Fprintf(out, "\n┌%s┐\n│%s│\n└%s┘\n\n", bar, line, bar)
}
