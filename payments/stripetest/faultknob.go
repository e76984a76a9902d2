package stripetest

import "net/http"

func (s *Server) armFault(w http.ResponseWriter, r *http.Request) {
	fault := Fault{Times: 1, DurationMS: 2000}
	err := readKnob(w, r, &fault)
	if err == nil {
		err = fault.check()
	}
	if err != nil {
		writeKnob(w, http.StatusBadRequest, knobError(err.Error()))
		return
	}
	s.faults.arm(fault)
	s.answerKnob(w, r, fault.Account, fault, nil)
}

func (s *Server) showFaults(w http.ResponseWriter, r *http.Request) {
	account := r.FormValue("account")
	s.answerKnob(w, r, account, map[string][]Fault{"faults": s.faults.list(account)}, nil)
}

func (s *Server) disarmFaults(w http.ResponseWriter, r *http.Request) {
	account := r.FormValue("account")
	s.faults.disarm(account)
	s.answerKnob(w, r, account, map[string]bool{"disarmed": true}, nil)
}

func (s *Server) releaseHeld(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Account string `json:"account"`
	}
	if err := readKnob(w, r, &body); err != nil {
		writeKnob(w, http.StatusBadRequest, knobError(err.Error()))
		return
	}
	s.faults.letGo(body.Account)
	s.answerKnob(w, r, body.Account, map[string]bool{"released": true}, nil)
}
