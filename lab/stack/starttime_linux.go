package stack

import (
	"fmt"
	"os"
	"strings"
)

// startTime tells a process from a later one with the same pid. It is empty when no such process runs;
// a zombie does not run.
func startTime(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// The second field is the command in brackets and may contain anything, so fields count from its end:
	// the state is the third field, the start time the 22nd.
	line := string(stat)
	fields := strings.Fields(line[strings.LastIndexByte(line, ')')+1:])
	if len(fields) < 20 || fields[0] == "Z" {
		return ""
	}
	return fields[19]
}
