package strategy

import (
	"embed"
	"fmt"
	"strings"
)

// files are the strategies as they were compiled, for whoever wants to read them while they run.
//
//go:embed *.go
var files embed.FS

// Source is the file of a strategy, by its id: the file has its name, with underscores.
func Source(id string) (name, text string, err error) {
	name = strings.ReplaceAll(id, "-", "_") + ".go"
	data, err := files.ReadFile(name)
	if err != nil {
		return name, "", fmt.Errorf("the strategy %s should be in %s: %w", id, name, err)
	}
	return name, string(data), nil
}
