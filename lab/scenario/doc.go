// Package scenario is the lesson as data: questions with their answers, and the runs that prove them.
//
//	scenarios/*.json ─▶ All, Plan ─▶ Play: runs on real processes ─▶ checks: measured against expected
//
// A scenario is a file. Its answer is not believed: playing it measures what it claims, at the bank. So a
// lesson that was rehearsed holds in front of a class.
package scenario
