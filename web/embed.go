// Package web is the page of Double Charge Lab: ES modules, styles and words, embedded as they are.
//
//	index.html ── js/main.js ── js/app.js ── js/view/*   draws
//	                              └─ js/model/*          decides: pure, tested without a browser
//
// recordings/ holds act 1 as it went once, for the page to show while the lab is still starting.
// There is no build step: what is in this folder is what the browser gets.
package web

import (
	"embed"
	"io/fs"
)

//go:embed index.html css js i18n recordings
var files embed.FS

// Files is the page, rooted at index.html. Tests and their fake server are not in it.
func Files() fs.FS { return files }
