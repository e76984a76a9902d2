// Package walk leads through the lab in a terminal: five scenes that break a payment for real, and a sixth in
// which the learner breaks one. Each scene tells what will happen, takes a guess, runs it in a lane of its own
// and draws the trace, the bank's verdict and both books as plain lines, one below the other, so that it works
// over ssh, in a pipe and in a recording.
package walk
