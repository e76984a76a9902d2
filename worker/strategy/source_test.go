package strategy_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/doublecharge/worker/strategy"
)

// maxLines is what fits on one screen of a projector.
const maxLines = 80

// allowed is what a strategy may import besides time's lengths: what touches nothing outside.
var allowed = []string{"context", "crypto/sha256", "fmt", "strings", "example.com/doublecharge/payments"}

// plumbing are the files of the package that are no strategy.
var plumbing = []string{"strategy.go", "source.go"}

// TestAStrategyIsNothingButTheLesson reads the source of every strategy.
func TestAStrategyIsNothingButTheLesson(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || slices.Contains(plumbing, file) {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		read++
		for _, sin := range append(sins(t, source), unexplained(string(source))...) {
			t.Errorf("%s %s", file, sin)
		}
	}
	if read != len(strategy.IDs()) {
		t.Errorf("%d files were read, and there are %d strategies", read, len(strategy.IDs()))
	}
}

// TestTheReaderSeesEverySin keeps the test above from being blind.
func TestTheReaderSeesEverySin(t *testing.T) {
	t.Parallel()
	const explained = "\n\n// T is.\ntype T struct{}\n\n"
	for source, want := range map[string]string{
		"package p\n\nimport \"time\"" + explained + "var _ = time.Now\n":          "uses time.Now",
		"package p\n\nimport clock \"time\"" + explained + "var _ = clock.After\n": "uses time.After",
		"package p\n\nimport . \"time\"" + explained + "var _ = Now\n":             "imports time without its name",
		"package p\n\nimport \"math/rand/v2\"" + explained + "var _ = rand.Int\n":  "imports math/rand/v2",
		"package p" + explained + "func f() { go f() }\n":                          "starts a goroutine",
		"package p" + explained + "func f() { defer func() { recover() }() }\n":    "recovers",
		"package p\n\ntype T struct{}\n":                                           "does not open with a doc comment",
		"package p" + explained + "type U struct{}\n":                              "does not open with a doc comment",
		"package p" + explained + strings.Repeat("\n", maxLines):                   "has 85 lines",
	} {
		if got := sins(t, []byte(source)); !slices.Contains(got, want) {
			t.Errorf("of this it says %q, want %q:\n%s", got, want, source)
		}
	}
}

// unexplained says what a strategy's comment leaves out: what it survives, what breaks it, and a timeline of
// four lines.
func unexplained(source string) []string {
	var missing []string
	for _, word := range []string{"// Survives:", "// Breaks"} {
		if !strings.Contains(source, word) {
			missing = append(missing, "does not say what it "+strings.Trim(word, "/: "))
		}
	}
	if lines := strings.Count(source, "\n//\t"); lines != 4 {
		missing = append(missing, fmt.Sprintf("has a timeline of %d lines", lines))
	}
	return missing
}

// sins lists what a strategy's file must not do.
func sins(t *testing.T, source []byte) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	if lines := bytes.Count(source, []byte("\n")); lines > maxLines {
		found = append(found, fmt.Sprintf("has %d lines", lines))
	}
	if !opensWithDoc(file) {
		found = append(found, "does not open with a doc comment")
	}
	clock, bad := imports(file)
	found = append(found, bad...)
	ast.Inspect(file, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.GoStmt:
			found = append(found, "starts a goroutine")
		case *ast.CallExpr:
			if name, ok := n.Fun.(*ast.Ident); ok && name.Name == "recover" {
				found = append(found, "recovers")
			}
		case *ast.SelectorExpr:
			if name, ok := n.X.(*ast.Ident); ok && name.Name == clock && !lasts(n.Sel.Name) {
				found = append(found, "uses time."+n.Sel.Name)
			}
		}
		return true
	})
	return found
}

// lasts says whether a name of package time is a length of time: it tells none and waits for none.
func lasts(name string) bool {
	return slices.Contains([]string{"Duration", "Hour", "Minute", "Second", "Millisecond"}, name)
}

// imports gives the name under which the file knows package time, and what it must not import.
func imports(file *ast.File) (clock string, bad []string) {
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		switch {
		case path == "time" && spec.Name == nil:
			clock = "time"
		case path == "time" && spec.Name.Name == ".":
			bad = append(bad, "imports time without its name")
		case path == "time":
			clock = spec.Name.Name
		case !slices.Contains(allowed, path):
			bad = append(bad, "imports "+path)
		}
	}
	return clock, bad
}

// opensWithDoc says whether the first thing that the file declares, or the file itself, is explained,
// and every exported type besides.
func opensWithDoc(file *ast.File) bool {
	first := true
	for _, declaration := range file.Decls {
		var doc *ast.CommentGroup
		exported := false
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			doc = d.Doc
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			doc = d.Doc
			if spec, ok := d.Specs[0].(*ast.TypeSpec); ok {
				exported = spec.Name.IsExported()
			}
		}
		if (first && file.Doc == nil || exported) && doc == nil {
			return false
		}
		first = false
	}
	return true
}
