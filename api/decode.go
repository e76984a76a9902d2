package api

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/doublecharge/payments"
)

// maxBody bounds a request's body.
const maxBody = 64 << 10

// decode reads a JSON body into the value, strictly: unknown fields, duplicate names, floats where
// whole numbers belong, null, and anything after the value are errors that name the field. Fields that
// are missing keep what the value had before.
func decode(r *http.Request, value any) error {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/json" {
		return errMediaType
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return fmt.Errorf("%w: it broke off", errSyntax)
	}
	if len(body) > maxBody {
		return errTooLarge
	}
	if err := rejectNull(body); err != nil {
		return err
	}
	return explain(json.Unmarshal(body, value, json.RejectUnknownMembers(true)))
}

// rejectNull finds the nulls, which the decoder would take for fields that are missing. It reads up to
// the first error of the body, which the decoder finds again and explains.
func rejectNull(body []byte) error {
	tokens := jsontext.NewDecoder(bytes.NewReader(body))
	for {
		token, err := tokens.ReadToken()
		if err != nil {
			return nil //nolint:nilerr // The end of the body, or what the decoder will say.
		}
		if token.Kind() == 'n' {
			return payments.InvalidField(field(tokens.StackPointer()), "must not be null")
		}
	}
}

// explain turns the decoder's error into one that names the field.
func explain(err error) error {
	var syntactic *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &syntactic):
		return payments.InvalidField(field(syntactic.JSONPointer), "is given twice")
	case errors.Is(err, json.ErrUnknownName) && errors.As(err, &semantic):
		return payments.InvalidField(field(semantic.JSONPointer), "is not a field of this request")
	case errors.As(err, &semantic):
		return payments.InvalidField(field(semantic.JSONPointer), "must be %s", wanted(semantic.GoType))
	case errors.As(err, &syntactic):
		return fmt.Errorf("%w, near byte %d", errSyntax, syntactic.ByteOffset)
	default:
		return errSyntax
	}
}

// field writes /items/0/quantity as items[0].quantity. The whole body is "body".
func field(pointer jsontext.Pointer) string {
	var name strings.Builder
	for token := range pointer.Tokens() {
		if _, err := strconv.Atoi(token); err == nil {
			fmt.Fprintf(&name, "[%s]", token)
			continue
		}
		if name.Len() > 0 {
			name.WriteByte('.')
		}
		name.WriteString(token)
	}
	if name.Len() == 0 {
		return "body"
	}
	return name.String()
}

// wanted names a type as a person would.
func wanted(t reflect.Type) string {
	if t == nil {
		return "of another type"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return wanted(t.Elem())
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number, without fraction or exponent, that fits into 64 bits"
	case reflect.Slice:
		return "a list"
	default:
		return "an object"
	}
}
