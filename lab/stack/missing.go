package stack

import "fmt"

// MissingError means that a server is neither given nor installed and that Docker does not answer.
type MissingError struct {
	Name string // of the server
	How  string // to get it
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s is missing: %s", e.Name, e.How)
}

func missing(kind Kind) *MissingError {
	how := fmt.Sprintf("%s, or start Docker, or name one in %s", kind.Install, kind.Variable)
	return &MissingError{Name: kind.Name, How: how}
}
