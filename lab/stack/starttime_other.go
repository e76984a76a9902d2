//go:build !linux

package stack

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
)

// startTime tells a process from a later one with the same pid. It is empty when no such process runs;
// a zombie does not run. Without /proc, ps knows.
func startTime(pid int) string {
	ps := exec.CommandContext(context.Background(), "ps", "-o", "stat=,lstart=", "-p", strconv.Itoa(pid))
	line, err := ps.Output()
	if err != nil {
		return ""
	}
	state, since, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
	if strings.HasPrefix(state, "Z") {
		return ""
	}
	return strings.TrimSpace(since)
}
