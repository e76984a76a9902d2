// Package tell tells a run in a terminal: its trace as a sequence diagram that grows at its end, the bank's
// verdict, and the bank's statement beside our ledger. It is pure: events and verdicts go in, lines of text
// come out, never wider than [Width], in English or Turkish.
//
// What becomes a row, and what is folded into one, follows the page (web/js/model/rows.js), so that both tell
// the same story.
package tell
