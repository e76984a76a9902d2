// Package matrix runs every strategy against every way to break it, on real processes.
//
//	strategy × column ─▶ a cell: the run that tries it ─▶ a lane plays it ─▶ the bank's verdict
//	                                                          │
//	             what the catalogue expects ── agrees? ───────┘
//
// Which cells do not apply is derived from the steps that a strategy passes, so a new strategy needs no
// line here. A cell whose fault did not strike is an error, however good its verdict looks.
package matrix
