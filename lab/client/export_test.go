package client

// Impatient makes the client give up as soon as the lab does not answer.
func (c *Client) Impatient() { c.silence = 0 }
