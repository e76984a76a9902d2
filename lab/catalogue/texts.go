package catalogue

import (
	_ "embed" // for the words
	"encoding/json"
	"fmt"
)

//go:embed texts.json
var textsJSON []byte

// words are what a strategy is called, its idea, and what is told of it once it has run.
type words struct {
	Title Text `json:"title"`
	Idea  Text `json:"idea"`
	After Text `json:"after"`
}

// texts are the words of every strategy, by its id.
func texts() (map[string]words, error) {
	var read map[string]words
	if err := json.Unmarshal(textsJSON, &read); err != nil {
		return nil, fmt.Errorf("read the strategies' words: %w", err)
	}
	return read, nil
}
