package api

import (
	"errors"
	"fmt"
	"net/http"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// faultRequest is a fault as it is asked for. What is left out is once, at once, two seconds.
type faultRequest struct {
	Point      step.Name   `json:"point"`
	Action     step.Action `json:"action"`
	Times      *int        `json:"times"`
	Skip       int         `json:"skip"`
	DurationMS *int64      `json:"duration_ms"`
	Account    string      `json:"account"`
	Worker     int         `json:"worker"`
	Delivery   int         `json:"delivery"`
	Arrivals   int         `json:"arrivals"`
}

func (f faultRequest) fault() (step.Fault, error) {
	fault := step.Fault{
		Point: f.Point, Action: f.Action, Times: 1, Skip: f.Skip, DurationMS: 2000,
		Account: f.Account, Worker: f.Worker, Delivery: f.Delivery, Arrivals: f.Arrivals,
	}
	if f.Times != nil {
		fault.Times = *f.Times
	}
	if f.DurationMS != nil {
		fault.DurationMS = *f.DurationMS
	}
	return fault, checkAccount(f.Account)
}

// faultsOf reads a list of faults. It is empty rather than nil: none armed, rather than none mentioned.
func faultsOf(asked []faultRequest) ([]step.Fault, error) {
	faults := []step.Fault{}
	for i, each := range asked {
		fault, err := each.fault()
		if field, ok := errors.AsType[*payments.FieldError](err); ok {
			return nil, field.Within(fmt.Sprintf("faults[%d]", i))
		}
		if err != nil {
			return nil, err
		}
		faults = append(faults, fault)
	}
	return faults, nil
}

func (s *Server) labSetup(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Settings step.Change    `json:"settings"`
		Faults   []faultRequest `json:"faults"`
	}
	if err := decode(r, &request); err != nil {
		s.fail(w, r, err)
		return
	}
	faults, err := faultsOf(request.Faults)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	settings, err := s.lab.Setup(r.Context(), request.Settings, faults)
	s.answer(w, r, http.StatusOK, map[string]any{"settings": settings, "faults": faults}, err)
}

func (s *Server) labArm(w http.ResponseWriter, r *http.Request) {
	var request faultRequest
	if err := decode(r, &request); err != nil {
		s.fail(w, r, err)
		return
	}
	fault, err := request.fault()
	if err == nil {
		fault, err = s.lab.Arm(r.Context(), fault)
	}
	status := http.StatusCreated
	if fault.Action == step.Now { // Nothing is armed; it is being done.
		status = http.StatusAccepted
	}
	s.answer(w, r, status, fault, err)
}

func (s *Server) labDisarm(w http.ResponseWriter, r *http.Request) {
	s.done(w, r, s.lab.Disarm(r.Context()))
}
