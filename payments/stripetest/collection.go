package stripetest

import "slices"

// A collection keeps objects in the order of their creation and finds them by id.
type collection[T any] struct {
	items  []T
	places map[string]int
}

// put adds an object, or replaces the one with its id in place.
func (c *collection[T]) put(id string, item T) {
	if place, exists := c.places[id]; exists {
		c.items[place] = item
		return
	}
	if c.places == nil {
		c.places = map[string]int{}
	}
	c.places[id] = len(c.items)
	c.items = append(c.items, item)
}

func (c *collection[T]) get(id string) (item T, found bool) {
	place, found := c.places[id]
	if !found {
		return item, false
	}
	return c.items[place], true
}

// page returns what matches, newest first, and whether there is more in the direction of reading.
func (c *collection[T]) page(p paging, match func(T) bool) (items []T, more bool, err *apiError) {
	from, step := len(c.items)-1, -1
	if p.cursor != "" {
		place, found := c.places[p.cursor]
		if !found {
			return nil, false, invalid("resource_missing", p.param(), "No such object: '%s'", p.cursor)
		}
		if p.backwards {
			step = 1
		}
		from = place + step
	}
	for i := from; i >= 0 && i < len(c.items); i += step {
		if !match(c.items[i]) {
			continue
		}
		if len(items) == p.limit {
			more = true
			break
		}
		items = append(items, c.items[i])
	}
	if p.backwards { // Read from the cursor towards the newest, shown newest first all the same.
		slices.Reverse(items)
	}
	return items, more, nil
}
