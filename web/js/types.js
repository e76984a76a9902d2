/**
 * What the server sends and what the models make of it. Types only: this file has no code.
 *
 * @typedef {{role: string, number: number, start: number, instance: number, pid: number, restarts?: number}} Process
 *
 * @typedef {object} Detail
 * @property {string} [from]
 * @property {string} [to]
 * @property {string} [key]
 * @property {string} [outcome]
 * @property {string} [charge_id]
 * @property {number} [amount]
 * @property {string} [currency]
 * @property {string} [request_id]
 * @property {boolean} [redelivered]
 * @property {number} [status]
 * @property {number} [points_delta]
 * @property {number} [receipt]
 * @property {string} [how]
 * @property {string} [queue]
 * @property {string} [due_at]
 * @property {string} [until]
 * @property {string} [advance]  how far the lab\'s clock was moved, such as 25h0m0s
 * @property {{strategy: string}} [settings]
 * @property {string} [reason]
 * @property {string} [point]
 * @property {string} [action]
 *
 * @typedef {object} Event
 * @property {number} id
 * @property {string} at
 * @property {string} [order_id]
 * @property {string} [message_id]
 * @property {number} [delivery]
 * @property {Process} process
 * @property {string} step
 * @property {Detail} detail
 *
 * @typedef {{point: string, action: string, times: number, skip?: number}} Fault
 * @typedef {{strategy: string, fault: Fault|null, card: string, currency: string, sku: string, pay?: string}} Setup
 *
 * @typedef {{en: string, tr: string}} Text
 * @typedef {{from: string, to: string, effect: string, harm: Text}} Window
 * @typedef {object} Strategy  as GET lab/strategies tells it
 * @property {string} id
 * @property {Text} title
 * @property {Text} summary
 * @property {Text} after    told once it has run
 * @property {string} source
 * @property {Record<string, number>} lines
 * @property {string[]} steps
 * @property {Window[]} windows
 * @property {string[]} survives
 * @property {Array<{fault: string, adversary?: string, title: Text, verdict: string, wrong: string[], reason: Text}>} cells  its row of the matrix, as it is expected
 *
 * @typedef {{charge_id: string, order_id: string, message_id: string, amount: number, currency: string, last4: string,
 *   status: string, refunded: number, at: string}} BankLine
 * @typedef {{order_id: string, status: string, amount: number, currency: string, charge_id: string, points: number,
 *   receipts: number}} LedgerLine
 * @typedef {{bank: {lines: BankLine[]}, ledger: {lines: LedgerLine[]}}} Statement
 *
 * @typedef {{got: number|string, expected: number|string, ok: boolean}} Effect
 * @typedef {object} Verdict
 * @property {string} verdict
 * @property {number} charges
 * @property {number} expected
 * @property {number} amount_charged
 * @property {{charge: Effect, status: Effect, points: Effect, receipt: Effect}} effects
 * @property {string} ledger
 * @property {number} deliveries
 * @property {number} requests
 * @property {number} replayed
 *
 * @typedef {{name: string, ready: boolean, waiting_for: string, seconds: number}} Part
 * @typedef {{name: string, ready: number, unacked: number}} Queue
 * @typedef {{instance: number, step: string, message_id: string, since: string}} Waiting
 * @typedef {{settings: {[name: string]: any}, waiting?: Waiting[], faults: Fault[], version: string, processes: Process[],
 *   stripe: {mode: string, base: string}, queues: Queue[], quiet: boolean}} LabState
 * @typedef {{id: string, status: string, amount: number, currency: string, points: number, receipts: number}} Order
 * @typedef {{title: string, status: number, detail: string, field?: string}} Problem
 *
 * @typedef {Record<string, string|number>} Params
 * @typedef {{key: string, params?: Params}} Phrase  A text of the catalogue with its values.
 *
 * One row of the diagram, of the table and of the story: the same for all three.
 * @typedef {object} Row
 * @property {string} kind      What is drawn; model/rows.js lists them.
 * @property {string} from      Lane where it begins; equal to `to` for something a lane does by itself.
 * @property {string} to
 * @property {number} index     Position in the event list of the event that makes it happen.
 * @property {Event} event
 * @property {Params} params
 * @property {string} [tag]     An id that is shown by its tail.
 * @property {'key'|'message'|'charge'} [tagKind]
 * @property {Event[]} events   Everything that is folded into it.
 *
 * @typedef {object} Ghost      A step that has not happened.
 * @property {string} kind
 * @property {string} from
 * @property {string} to
 * @property {string[]} points
 *
 * @typedef {object} Run
 * @property {'sending'|'running'|'finished'|'stopped'} phase
 * @property {Setup} setup
 * @property {string} key
 * @property {string[]} keys  all that the shop made for this purchase: one, if it does it right
 * @property {string} orderId
 * @property {number} amount
 * @property {Event[]} events
 * @property {Verdict|null} verdict
 * @property {Statement|null} statement
 * @property {Queue[]} queues
 * @property {number} presses  of Pay, all with one key
 * @property {boolean} reopened  made before, read from the server again
 * @property {string} trouble  why the lab could not tell how it ended
 * @property {boolean} [stepping]  the real processes wait at every step
 * @property {string[]} [orderIds]  when there are several
 * @property {string} [last4]  of the card, where the form does not tell it
 * @property {Origin|null} [record]  where a run came from that is shown and not made
 *
 * @typedef {{id: string, at: string, commit: string, source: 'lab'|'file'|'explore'|'recording'|'boot', faults: any[], column: string}} Origin
 *
 * @typedef {object} RunDocument  as GET lab/runs/{id} answers it
 * @property {string} id
 * @property {string} state
 * @property {string} strategy
 * @property {any[]} faults
 * @property {number} [orders]
 * @property {Array<{on: string, do: string}>} [then]
 * @property {string} [commit]
 * @property {string} [at]
 * @property {string} [verdict]
 * @property {string[]} [order_ids]
 * @property {Verdict[]} verdicts
 * @property {Statement} statement
 * @property {Event[]} events
 * @property {Origin['source']} [source]  filled in by the page
 *
 * @typedef {{at: number, playing: boolean, pace: 'live'|'paced'|'step', since: number}} Playhead
 */
export {};
