package catalogue

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/worker/strategy"
)

// stepsOf are the steps that a call of a tool takes.
func stepsOf(method string) []step.Name {
	switch method {
	case "Seen", "Find", "Claim":
		return []step.Name{step.WorkerChecked}
	case "Charge":
		return []step.Name{step.WorkerCharging, step.WorkerCharged}
	case "Apply":
		return []step.Name{step.WorkerApplied}
	case "Mark", "ApplyOnce", "Complete":
		return []step.Name{step.WorkerRecorded}
	case "Ack":
		return []step.Name{step.WorkerAcked}
	default:
		return nil
	}
}

// read gives a strategy's source, the line of each step in it, and the first sentence of its comment.
func read(id string) (source string, lines map[step.Name]int, doc string, err error) {
	_, source, err = strategy.Source(id)
	if err != nil {
		return "", nil, "", err
	}
	file, fset, err := parse(source)
	if err != nil {
		return "", nil, "", err
	}
	doc = firstSentence(file)
	lines = linesOf(file, fset, 0)
	if base := builtOn(file); base != "" {
		_, more, err := strategy.Source(base)
		if err != nil {
			return "", nil, "", err
		}
		file, fset, err := parse(more)
		if err != nil {
			return "", nil, "", err
		}
		lines = linesOf(file, fset, strings.Count(source, "\n")+1)
		source += "\n" + more
	}
	return source, lines, doc, nil
}

func parse(source string) (*ast.File, *token.FileSet, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.ParseComments)
	if err != nil {
		return nil, nil, fmt.Errorf("parse a strategy: %w", err)
	}
	return file, fset, nil
}

// linesOf finds the lines in which the tools are called, and Handle begins. Of several calls the last one
// counts: what comes before it is the exception.
func linesOf(file *ast.File, fset *token.FileSet, before int) map[step.Name]int {
	lines := map[step.Name]int{}
	line := func(n ast.Node) int { return before + fset.Position(n.Pos()).Line }
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Name.Name == "Handle" {
				lines[step.WorkerReceived] = line(n)
			}
		case *ast.CallExpr:
			if method, ok := n.Fun.(*ast.SelectorExpr); ok {
				for _, name := range stepsOf(method.Sel.Name) {
					lines[name] = line(method.Sel)
				}
			}
		}
		return true
	})
	return lines
}

// builtOn is the id of the strategy whose type this file makes instead of declaring one of its own.
func builtOn(file *ast.File) string {
	base := ""
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		if name, ok := literal.Type.(*ast.Ident); ok {
			base = bases()[name.Name]
		}
		return true
	})
	return base
}

// bases are the types on which others are built.
func bases() map[string]string {
	return map[string]string{"SeenSetOnly": "seen-set", "SeenSetAndKey": "seen-set-and-key"}
}

// firstSentence is the first sentence of the comment of the first thing that is declared.
func firstSentence(file *ast.File) string {
	for _, decl := range file.Decls {
		var doc *ast.CommentGroup
		switch d := decl.(type) {
		case *ast.FuncDecl:
			doc = d.Doc
		case *ast.GenDecl:
			doc = d.Doc
		}
		if doc != nil {
			text := strings.Join(strings.Fields(doc.Text()), " ")
			sentence, _, _ := strings.Cut(text, ". ")
			return strings.TrimSuffix(sentence, ".") + "."
		}
	}
	return ""
}
