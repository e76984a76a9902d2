package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"example.com/doublecharge/payments"
)

// Emulator turns the knobs of the Stripe emulator, of one account only.
type Emulator struct {
	Base    string
	Account string
	Client  *http.Client
}

// NewEmulator is the emulator at an address, for the account that the test key belongs to.
func NewEmulator(base, key string) *Emulator {
	account := strings.TrimPrefix(strings.TrimPrefix(key, "sk_test_"), "rk_test_")
	return &Emulator{Base: base, Account: account, Client: &http.Client{Timeout: 5 * time.Second}}
}

// Advance moves the account's clock forward.
func (e *Emulator) Advance(ctx context.Context, d time.Duration) error {
	return e.turn(ctx, "/_emulator/clock", map[string]string{"advance": d.String(), "account": e.Account})
}

// Reset makes the bank forget the account.
func (e *Emulator) Reset(ctx context.Context) error {
	return e.turn(ctx, "/_emulator/reset", map[string]string{"account": e.Account})
}

// Ready says whether the emulator answers.
func (e *Emulator) Ready(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, e.Base+"/healthz", nil)
	if err != nil {
		return fmt.Errorf("ask the emulator: %w", err)
	}
	return e.do(request)
}

func (e *Emulator) turn(ctx context.Context, path string, body map[string]string) error {
	data, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode %s: %w", path, err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.Base+path, bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("turn %s: %w", path, err)
	}
	request.Header.Set("Content-Type", "application/json")
	return e.do(request)
}

func (e *Emulator) do(request *http.Request) error {
	response, err := e.Client.Do(request)
	if err != nil {
		return fmt.Errorf("%w: the emulator: %w", payments.ErrUnavailable, err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%w: the emulator said %s", payments.ErrUnavailable, response.Status)
	}
	return nil
}
