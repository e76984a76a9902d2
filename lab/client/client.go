// Package client speaks to a running lab over HTTP, as the page does. Commands use it where a lab is
// already there, so that what they do is seen on its page too.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"example.com/doublecharge/payments"
)

// Client is one lab. The zero value is not ready; see [New].
type Client struct {
	base string
	http *http.Client
	// silence is how long the lab may not answer while a job is awaited, as when its api is started anew.
	silence time.Duration
}

// New is a client of the lab at an address such as http://127.0.0.1:4242. Nothing is sent yet.
func New(base string) *Client {
	return &Client{
		base:    strings.TrimRight(base, "/"),
		http:    &http.Client{Timeout: 15 * time.Second, Transport: &http.Transport{Proxy: nil}},
		silence: 15 * time.Second,
	}
}

// Base is the lab's address.
func (c *Client) Base() string { return c.base }

// Close gives back the connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// ProblemError is an answer that says no. It is one of the domain's kinds of errors where there is one.
type ProblemError struct {
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	Field  string `json:"field"`
}

func (p *ProblemError) Error() string {
	parts := []string{fmt.Sprintf("the lab answered %d %s", p.Status, p.Title)}
	for _, part := range []string{p.Field, p.Detail} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ": ")
}

// Unwrap names the kind.
func (p *ProblemError) Unwrap() error {
	switch p.Status {
	case http.StatusNotFound:
		return payments.ErrNotFound
	case http.StatusConflict:
		return payments.ErrConflict
	case http.StatusServiceUnavailable, http.StatusBadGateway, http.StatusGatewayTimeout:
		return payments.ErrUnavailable
	case http.StatusUnprocessableEntity, http.StatusBadRequest:
		return payments.ErrInvalid
	default:
		return nil
	}
}

// Get reads a document of the lab; path begins with /lab/.
func (c *Client) Get(ctx context.Context, path string, into any) error {
	return c.send(ctx, http.MethodGet, path, nil, into)
}

// Post sends a request with a JSON body, or with none for nil. The answer is read into the value, unless
// that is nil.
func (c *Client) Post(ctx context.Context, path string, body, into any) error {
	return c.send(ctx, http.MethodPost, path, body, into)
}

func (c *Client) send(ctx context.Context, method, path string, body, into any) error {
	var content io.Reader = http.NoBody
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return fmt.Errorf("encode the request to %s: %w", path, err)
		}
		content = bytes.NewReader(data)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, content)
	if err != nil {
		return fmt.Errorf("ask the lab: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("%w: the lab at %s does not answer: %w", payments.ErrUnavailable, c.base, errors.Unwrap(err))
	}
	defer func() { _ = response.Body.Close() }()
	return read(response, into)
}

// read decodes the answer, good or bad.
func read(response *http.Response, into any) error {
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("%w: the lab's answer broke off: %w", payments.ErrUnavailable, err)
	}
	if response.StatusCode >= http.StatusBadRequest {
		problem := &ProblemError{}
		_ = json.Unmarshal(data, problem) // Somebody else may be at this address; then the status says all.
		problem.Status = response.StatusCode
		return problem
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("the answer of %s is no document of a lab: %w", response.Request.URL, err)
	}
	return nil
}
