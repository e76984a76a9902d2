package stripetest

// paging is the part of a list that all lists share.
type paging struct {
	limit     int
	cursor    string
	backwards bool
}

func (p paging) param() string {
	if p.backwards {
		return "ending_before"
	}
	return "starting_after"
}

// A list is Stripe's envelope around a page of objects.
type list struct {
	Object  string `json:"object"`
	Data    []any  `json:"data"`
	HasMore bool   `json:"has_more"`
	URL     string `json:"url"`
}

func (r *reader) paging() paging {
	p := paging{limit: 10}
	if limit := r.integer("limit"); limit != nil {
		if *limit < 1 || *limit > 100 {
			r.fail(invalid("parameter_invalid_integer", "limit", "limit must be between 1 and 100."))
		}
		p.limit = int(*limit)
	}
	after, before := r.text("starting_after"), r.text("ending_before")
	if after != "" && before != "" {
		r.fail(invalid("parameters_exclusive", "ending_before",
			"You may only specify one of these parameters: ending_before, starting_after."))
	}
	p.cursor, p.backwards = after, before != ""
	if p.backwards {
		p.cursor = before
	}
	return p
}

// created returns the filter on the time of creation: created=N, or any of its four bounds.
func (r *reader) created() func(created int64) bool {
	exact := r.integer("created")
	above, from := r.integer("created[gt]"), r.integer("created[gte]")
	below, upTo := r.integer("created[lt]"), r.integer("created[lte]")
	return func(created int64) bool {
		return (exact == nil || created == *exact) &&
			(above == nil || created > *above) &&
			(from == nil || created >= *from) &&
			(below == nil || created < *below) &&
			(upTo == nil || created <= *upTo)
	}
}

// equal returns a filter that lets everything pass while the parameter is absent.
func (r *reader) equal(name string) func(*string) bool {
	want := r.text(name)
	return func(got *string) bool { return want == "" || got != nil && *got == want }
}
