// Package stripetest is an offline stand-in for Stripe's test mode that keeps state and honours
// idempotency keys, so that a double charge can be seen and counted without a network. It shares no
// code with the programs it watches: it is the bank's word against theirs.
//
// Emulated: payment intents (create with and without confirm, get, list), charges (get, list),
// metadata, expand[]=latest_charge, cursors and created filters, test cards with their declines,
// currency and amount rules, accounts by API key, and idempotency keys of API v1: replays byte for
// byte, 400 on other parameters or another endpoint, 409 while the first call is in flight,
// forgotten after 24 hours of a clock that can be moved. With a data file, whatever was answered is
// still there after kill -9.
//
// NOT emulated: confirm, capture, cancel and refund calls; manual capture; customers (an id is kept
// but never looked up) and using a payment method twice; webhooks, events and balance transactions;
// Connect, API v2 and search; 3-D Secure beyond requires_action; exchange rates, hence Stripe's own
// minimum for currencies such as try; rate limits, unless armed. A parameter that is not emulated gets
// parameter_unknown: it is never ignored in silence.
//
// The account is the part of the key after sk_test_ or rk_test_: sk_test_demo speaks for "demo". A
// part of 20 characters or more may be somebody's real test key and is replaced by a hash. Live keys
// are refused.
//
// # Unconfirmed
//
// These are beliefs about Stripe that have not been checked against a real account:
//   - the scope of a key is one account; expand is one of the compared parameters, their order is not;
//   - other parameters under a key that is still in flight get the 400, not the 409;
//   - the 409 has type idempotency_error; of the two paths in the endpoint message the first is the new one;
//   - the first answer under a key carries Original-Request too, with its own id;
//   - a key of more than 255 characters is answered with 400;
//   - decline_code equals code for expired_card, incorrect_cvc and processing_error;
//   - no such payment method is a validation error, which the key does not remember;
//   - a currency in capitals, a name given twice and an amount that breaks a step rule get 400;
//   - an unknown cursor gets 400, an unknown id 404 with param intent or charge's own id;
//   - a charge has no balance transaction at first;
//   - automatic payment methods mean cards alone, as on an account without redirecting methods, so
//     that confirm needs no return_url.
//
// # Knobs
//
// They stand outside /v1, so that /v1 stays Stripe's. Without an account they turn all accounts.
//
//	POST /_emulator/clock     {"advance":"25h","account":"demo"}
//	GET  /_emulator/requests  ?account=demo&idempotency_key=k: the journal, oldest first, the last 10,000
//	POST /_emulator/reset     {"account":"demo"}
//	POST /_emulator/faults    {"kind":"drop_after","path":"/v1/payment_intents","times":1,"account":"demo"}
//	GET, DELETE /_emulator/faults ?account=demo: shows, or disarms, what is armed
//	POST /_emulator/release   {"account":"demo"}: lets the calls go that a fault of kind hold keeps
//	GET  /healthz
//
// The kinds of faults are those of [FaultKind]. Where nothing is said they strike once, skip nobody and
// last 2,000 ms. What is armed lives in memory alone; what it did to a call is in the log like any other.
//
// # Inside
//
// A [Bank] is the state of all accounts and the rules that change it. It knows no HTTP, file, clock
// or goroutine. A [Server] puts HTTP before it and the log behind it: an executed call becomes one
// entry, the entry one line in the log, and only then is it applied and answered.
package stripetest
