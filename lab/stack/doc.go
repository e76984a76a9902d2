// Package stack brings up what the lab stands on and takes it down again, whatever happens: private
// PostgreSQL, RabbitMQ and Redis servers, and the child processes whose crashes are the lesson.
//
//	owner (demo, test) ──lines──▶ keeper          ends and removes what the owner left behind
//	  │  ├─ Stack ── Server ── own process group, own folder, 127.0.0.1 only
//	  │  └─ Supervisor ── child 1, child 2, …      started again whenever they die
//	  └────── lifeline ──────▶ every child         its end of file means: the supervisor is gone
//
// Nothing here trusts anybody to say goodbye. A process that is killed with SIGKILL runs no deferred
// call and no signal handler, but the kernel closes its files; so every promise to clean up hangs on
// the end of a pipe: the keeper's for servers and folders, the lifeline for children.
package stack
