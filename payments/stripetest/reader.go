package stripetest

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A reader hands out the parameters of one call by type. It keeps the first error, so that an
// endpoint reads like a list of its parameters; a parameter that nobody asked for is unknown.
type reader struct {
	params params
	known  []string
	err    *apiError
}

func (r *reader) fail(err *apiError) {
	if r.err == nil {
		r.err = err
	}
}

// finish returns what is wrong with the parameters. Unknown ones come first: they are often a
// misspelling of the one that is missing.
func (r *reader) finish() *apiError {
	var unknown []string
	for _, name := range slices.Sorted(maps.Keys(r.params)) {
		if !slices.Contains(r.known, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		return invalid("parameter_unknown", unknown[0], "Received unknown parameter: %s", strings.Join(unknown, ", "))
	}
	return r.err
}

// text returns a string, empty when it is absent.
func (r *reader) text(name string) string {
	value, present := r.params[name]
	r.known = append(r.known, name)
	if present && value == "" {
		r.fail(invalid("parameter_invalid_empty", name, "You passed an empty string for '%s'. "+
			"Leave it out or give it a value.", name))
	}
	return value
}

func (r *reader) required(name string) string {
	value := r.text(name)
	if _, present := r.params[name]; !present {
		r.fail(invalid("parameter_missing", name, "Missing required param: %s.", name))
	}
	return value
}

// limited returns a string of at most so many characters.
func (r *reader) limited(name string, most int) string {
	value := r.text(name)
	if count := len([]rune(value)); count > most {
		r.fail(invalid("", name, "Invalid string: must be at most %d characters, but you passed %d.", most, count))
	}
	return value
}

// integer returns nil when the parameter is absent.
func (r *reader) integer(name string) *int64 {
	value := r.text(name)
	if value == "" {
		return nil
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		r.fail(invalid("parameter_invalid_integer", name, "Invalid integer: %s", value))
		return nil
	}
	return &n
}

func (r *reader) flag(name string) bool {
	return r.oneOf(name, "false", "true", "false") == "true"
}

func (r *reader) oneOf(name, fallback string, allowed ...string) string {
	value := r.text(name)
	if value == "" {
		return fallback
	}
	if !slices.Contains(allowed, value) {
		r.fail(invalid("", name, "Invalid %s: must be one of %s", name, strings.Join(allowed, ", ")))
	}
	return value
}

func (r *reader) list(name string) []string {
	for inner := range r.params.children(name) {
		r.known = append(r.known, name+"["+inner+"]")
	}
	values, ok := r.params.elements(name)
	if _, scalar := r.params[name]; scalar || !ok {
		r.known = append(r.known, name)
		r.fail(invalid("", name, "Invalid array"))
	}
	return values
}

func (r *reader) expand(property string) bool {
	values := r.list("expand")
	for _, value := range values {
		if value != property || property == "" {
			r.fail(invalid("", "expand", "This property cannot be expanded (%s).", value))
		}
	}
	return len(values) > 0
}
