package stack

// Servers are the servers of the stack, in the order of Config.Kinds.
func (s *Stack) Servers() []Server { return s.servers }

// Folder is the temporary folder of the stack, which Close and the keeper remove.
func (s *Stack) Folder() string { return s.folder }

// DatabaseURL is where PostgreSQL is, or empty.
func (s *Stack) DatabaseURL() string { return s.url("DATABASE_URL") }

// AMQPURL is where RabbitMQ is, or empty.
func (s *Stack) AMQPURL() string { return s.url("AMQP_URL") }

// RedisURL is where Redis is, or empty.
func (s *Stack) RedisURL() string { return s.url("REDIS_URL") }

// Environ names the servers to another process, in the variables that New reads.
func (s *Stack) Environ() []string {
	var environ []string
	for _, server := range s.servers {
		environ = append(environ, server.Kind().Variable+"="+server.URL())
	}
	return environ
}

func (s *Stack) url(variable string) string {
	for _, server := range s.servers {
		if server.Kind().Variable == variable {
			return server.URL()
		}
	}
	return ""
}
