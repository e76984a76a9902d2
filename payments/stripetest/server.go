package stripetest

import (
	"crypto/rand"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// Config is how a Server is set up. Its zero value is an emulator in memory.
type Config struct {
	// Data is the file that holds the state. Defaults to none: the state is lost with the process.
	Data string
	// Sync adds an fsync before each answer, shared by the calls that wait for it, so that the state
	// survives a power cut too. Defaults to false: it survives kill -9.
	Sync bool
	// Now is the real time, before any account's clock is moved. Defaults to time.Now.
	Now func() time.Time
	// Logger gets one line per request at debug level, without keys, secrets or bodies. Defaults to
	// a logger that discards.
	Logger *slog.Logger
	// Executing, when set, is called inside every execution: its key is claimed, nothing has
	// happened yet. While it blocks, another call with the key gets 409. Defaults to nil.
	Executing func(*http.Request)
}

// A Server is the emulator as an http.Handler:
//
//	/v1          ─▶ authenticate ─▶ Bank ─▶ log ─▶ answer
//	/_emulator   ─▶ knobs ────────▶ Bank ─▶ log ─▶ answer
type Server struct {
	config Config
	routes http.Handler

	faults *faults

	mu   sync.Mutex // Guards bank and the order of the log's lines, which must be one order.
	bank *Bank
	log  *logFile
}

// New opens the data file, if there is one, and restores what was answered before.
func New(config Config) (*Server, error) {
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{config: config, faults: newFaults(), bank: NewBank(randomID)}
	s.routes = s.mux()
	if config.Data == "" {
		config.Logger.Info("the bank keeps its state in memory: it is lost when this process ends")
		return s, nil
	}
	log, err := openLog(config.Data, config.Sync, s.bank.apply)
	if err != nil {
		return nil, err
	}
	s.log = log
	config.Logger.Info("the bank keeps its state in a file", "path", config.Data, "fsync", config.Sync)
	return s, nil
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.routes.ServeHTTP(w, r)
}

// Close ends the use of the data file, and the waits of all calls. Calls that come later are refused.
func (s *Server) Close() error {
	s.faults.close()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.close()
}

func (s *Server) mux() http.Handler {
	knobs := http.NewServeMux()
	knobs.HandleFunc("POST /_emulator/clock", s.turnClock)
	knobs.HandleFunc("GET /_emulator/requests", s.showRequests)
	knobs.HandleFunc("POST /_emulator/reset", s.turnReset)
	knobs.HandleFunc("POST /_emulator/faults", s.armFault)
	knobs.HandleFunc("GET /_emulator/faults", s.showFaults)
	knobs.HandleFunc("DELETE /_emulator/faults", s.disarmFaults)
	knobs.HandleFunc("POST /_emulator/release", s.releaseHeld)
	knobs.HandleFunc("/_emulator/", func(w http.ResponseWriter, r *http.Request) {
		writeKnob(w, http.StatusNotFound, knobError("no such knob: "+r.Method+" "+r.URL.Path))
	})
	mux := http.NewServeMux()
	mux.Handle("/_emulator/", http.NewCrossOriginProtection().Handler(knobs)) // No web page turns them.
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		writeKnob(w, http.StatusOK, map[string]bool{"ok": true})
	})
	mux.HandleFunc("/", s.serveAPI)
	return mux
}

// perform takes a call through the bank. Its key is claimed under one lock and its entry made under
// another, so that a slow execution is seen by others as a key in use.
func (s *Server) perform(r *http.Request, call Call, struck strike) (Answer, error) {
	t := s.begin(call, struck.Fault)
	defer s.release(t)
	if t.execute != nil && s.config.Executing != nil {
		s.config.Executing(r)
	}
	if t.execute != nil && struck.Kind == Hold {
		s.faults.wait(r.Context(), struck)
	}
	if err := s.conclude(t, struck.Fault); err != nil {
		return Answer{}, err
	}
	return t.answer, s.log.flush()
}

// begin lets the bank begin, unless a fault answers in its place.
func (s *Server) begin(call Call, fault Fault) *turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := fault.refusal(); err != nil {
		return s.bank.refused(call, err)
	}
	return s.bank.begin(call)
}

func (s *Server) conclude(t *turn, fault Fault) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.execute != nil {
		t.spoilt = fault.Kind == Error500After
		s.bank.finish(t, s.config.Now())
	}
	if fault.cuts() {
		t.cut()
	}
	if t.call.Method == http.MethodPost {
		return s.record(t.entry)
	}
	s.bank.apply(t.entry) // Reads change nothing but the journal and are not worth a line of the log.
	return nil
}

func (s *Server) release(t *turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.release()
}

// record makes a change: first on disk, then in memory. An entry that cannot be written has not
// happened. The caller holds the lock.
func (s *Server) record(e entry) error {
	if err := s.log.append(e); err != nil {
		return err
	}
	s.bank.apply(e)
	return nil
}

func randomID(prefix string) string {
	return prefix + "_" + rand.Text()
}
