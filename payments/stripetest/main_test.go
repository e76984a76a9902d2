package stripetest_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"example.com/doublecharge/payments/stripetest"
)

// childData tells a copy of the test binary to be an emulator with this data file, until it is killed.
const childData = "STRIPETEST_CHILD_DATA"

func TestMain(m *testing.M) {
	if path := os.Getenv(childData); path != "" {
		fmt.Fprintln(os.Stderr, beChild(path))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// beChild serves on a free port, which it prints, and never ends by itself.
func beChild(path string) error {
	bank, err := stripetest.New(stripetest.Config{Data: path})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // The process has no other life.
	if err != nil {
		return err
	}
	fmt.Println("http://" + listener.Addr().String())
	server := &http.Server{Handler: bank, ReadTimeout: 10 * time.Second}
	return server.Serve(listener)
}
