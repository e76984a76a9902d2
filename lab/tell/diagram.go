package tell

// Diagram draws rows one below the other. It remembers only whether the worker lives.
//
//	shop           queue          worker           bank           ledger
//	 │               │               │               │               │
//	 ├─ sent ───────▶│               │               │               │  id …3c88
//	 │               ├─ delivery 1 ─▶│               │               │  id …3c88
//	 │               │               ├─ charge ─────▶│               │  key …5Dg
//	 │               │               ✗ SIGKILL · worker killed (pid 10551)
type Diagram struct {
	Words Words
	Paint Paint

	dead bool
}

const (
	first = 2  // the column of the first lane
	gap   = 16 // from one lane to the next
)

// column is where a lane is drawn.
func (l Lane) column() int { return first + int(l)*gap }

// Head is the line with the lanes' names, and the one under it.
func (d *Diagram) Head() []string {
	names := blank()
	for lane := range Lane(lanes) {
		name := d.Words.T("lane." + [lanes]string{"shop", "queue", "worker", "bank", "ledger"}[lane])
		write(names, max(0, lane.column()-(wide(name)-1)/2), name, Strong)
	}
	return []string{d.Paint.line(names), d.Paint.line(d.lanes())}
}

// Row is the line of one row.
func (d *Diagram) Row(r Row) string {
	if r.Kind == "start" && r.From == Worker {
		d.dead = false
	}
	cells := d.lanes()
	label := d.Words.T("row."+r.Kind, r.Args)
	switch {
	case r.local():
		d.mark(cells, r, label)
	default:
		arrow(cells, r, label)
	}
	if r.Tag != "" {
		write(cells, Ledger.column()+3, r.TagKind+" "+Tail(r.Tag), Faint)
	}
	if r.Kind == "crash" && r.From == Worker {
		d.dead = true
	}
	return d.Paint.line(cells)
}

// mark draws what happens in one place: a sign on the lane and its words to the right or, where there is no
// room, to the left.
func (d *Diagram) mark(cells []cell, r Row, label string) {
	sign := map[string]string{"crash": "✗", "start": "●"}[r.Kind]
	if sign == "" {
		sign = "◆"
	}
	at := r.From.column()
	write(cells, at, sign, r.Tone)
	from := at + 2
	if from+wide(label) > Width {
		from = max(0, at-1-wide(label))
	}
	write(cells, from, label, r.Tone)
	pad(cells, from-1)
	pad(cells, from+wide(label))
}

// arrow draws what goes from one lane to another; an answer that is lost ends on the way.
func arrow(cells []cell, r Row, label string) {
	left, right := min(r.From, r.To).column(), max(r.From, r.To).column()
	for at := left + 1; at < right; at++ {
		sign := '─'
		if cells[at].sign == '│' {
			sign = '┼'
		}
		cells[at] = cell{sign, r.Tone}
	}
	if r.To > r.From {
		cells[left] = cell{'├', r.Tone}
		cells[right-1] = cell{'▶', r.Tone}
	} else {
		cells[right] = cell{'┤', r.Tone}
		cells[left+1] = cell{'◀', r.Tone}
	}
	words := " " + label + " "
	from := left + 2 // The words stand near the beginning of the arrow.
	if r.To < r.From {
		from = right - 1 - wide(words)
	}
	write(cells, from, words, r.Tone)
	if r.Kind == "unknown" {
		lost(cells, left+1, from)
	}
}

// lost leaves the arrow without its end.
func lost(cells []cell, from, to int) {
	for at := from; at < to-1; at++ {
		cells[at] = cell{' ', Plain}
	}
	cells[to-1] = cell{'⌁', Unsure}
}

// lanes is an empty row: every lane goes on, but for a worker that is dead.
func (d *Diagram) lanes() []cell {
	cells := blank()
	for lane := range Lane(lanes) {
		if lane == Worker && d.dead {
			continue
		}
		write(cells, lane.column(), "│", Faint)
	}
	return cells
}

func blank() []cell {
	cells := make([]cell, Width)
	for i := range cells {
		cells[i].sign = ' '
	}
	return cells
}

// write puts a text into a row; what has no room is left away.
func write(cells []cell, at int, text string, tone Tone) {
	for _, sign := range text {
		if at >= 0 && at < len(cells) {
			cells[at] = cell{sign, tone}
		}
		at++
	}
}

// pad keeps words apart from a lane beside them.
func pad(cells []cell, at int) {
	if at >= 0 && at < len(cells) && cells[at].sign == '│' {
		cells[at] = cell{sign: ' '}
	}
}
