import { amount, booksOf, messageId, orderId, pointsOfOrder } from './counterexample-books.js';

/**
 * A schedule of the Explorer as the document of a run, so that it plays in the same diagram as what really happened.
 * The model has no time, no pids and no api: events stand 40 ms apart, a pid is a dash, and order, commit and
 * publish come before the first delivery as they do in any run.
 *
 * @typedef {import('../types.js').Event} Event
 * @typedef {import('../types.js').Text} Text
 * @typedef {{event: string, en: string, tr: string, order?: number, outcome?: string, key?: string, ended?: string}} Line
 * @typedef {{charges: number, status: string, points: number, receipts: number}} Outcome
 * @typedef {object} Violation  as GET lab/explore tells it
 * @property {string} adversary
 * @property {string} property
 * @property {string} schedule
 * @property {Line[]} counterexample
 * @property {Line[]} rest       what follows when nothing more goes wrong
 * @property {Outcome[]} outcomes  of each order, after the rest
 */

/** @param {string} strategy @param {Violation} violation @param {{at: string, commit: string}} searched @returns {import('../types.js').RunDocument} */
export function documentOf(strategy, violation, searched) {
  const scribe = new Scribe(Date.parse(searched.at) || 0);
  for (const line of [...violation.counterexample, ...violation.rest]) scribe.write(line);
  violation.outcomes.forEach(({ receipts }, i) => { for (let n = 0; n < receipts; n += 1) scribe.mail(i + 1); });
  return {
    id: `explore-${strategy}-${violation.adversary}-${violation.property}`, source: 'explore',
    state: 'finished', strategy, faults: [], commit: searched.commit, at: searched.at,
    orders: violation.outcomes.length, events: scribe.events, ...booksOf(violation, scribe.events, scribe.charges),
  };
}

/** As the model has them: a lease of a second, and the first of the shop's delays before a retry. */
const leaseSeconds = 1;
const retrySeconds = 10;

/** Processes that belong to no worker. @type {Record<string, number>} */
const instances = { api: 1, relay: 2, mailer: 3 };

/** Which process of the shop wrote an event. @param {string} role @returns {Event['process']} */
const process = (role) => ({ role, number: 1, start: 1, instance: instances[role], pid: 0 });

/** What nobody's process does: a server is struck, a clock is moved. */
const nobody = { role: '', number: 0, start: 0, instance: 0, pid: 0 };

/** No process of the model has a pid: a dash stands where a number is said. */
const noPid = /** @type {number} */ (/** @type {unknown} */ ('–'));

/** @typedef {{start: number, at: string, delivery: number}} Worker  `at` is the step at which it stands */

class Scribe {
  /** @type {Event[]} */ events = [];
  #begun;
  /** @type {Map<number, Worker>} */ #workers = new Map();
  /** @type {Map<number, number>} */ #deliveries = new Map();
  /** What the bank took, told or not. @type {import('./counterexample-books.js').Charge[]} */ charges = [];
  #minted = 0;

  /** @param {number} begun  milliseconds */
  constructor(begun) {
    this.#begun = begun;
    this.#buy(1);
  }

  /** @param {Line} line */
  write(line) {
    const [, number, verb, how = ''] = /^(?:w(\d):)?([\w-]+)(=\w+)?$/.exec(line.event) ?? [];
    if (number) this.#turn({ number: Number(number), order: line.order ?? 1, line, how }, verb);
    else if (verb === 'buy') this.#buy(line.order ?? 2);
    else if (verb === 'duplicate') this.#publish(line.order ?? 1);
    else this.#around(verb);
  }

  /** So long after the event that is written next. @param {number} seconds */
  #in(seconds) { return new Date(this.#begun + (this.events.length + 1) * 40 + seconds * 1000).toISOString(); }

  /** The receipt that was owed. @param {number} order */
  mail(order) {
    this.#add(process('mailer'), 'mail.claimed', order, {});
    this.#add(process('mailer'), 'mail.sent', order, {});
  }

  /** @param {Event['process']} by @param {string} step @param {number} order  0 for none @param {Event['detail']} detail @param {number} [delivery] */
  #add(by, step, order, detail, delivery) {
    const id = this.events.length + 1;
    const whose = order > 0 ? { order_id: orderId(order), message_id: messageId(order) } : {};
    this.events.push({ id, at: new Date(this.#begun + id * 40).toISOString(), ...whose, ...(delivery ? { delivery } : {}), process: by, step, detail });
  }

  /** @param {number} order */
  #buy(order) {
    this.#add(process('api'), 'http.request', order, { from: 'client', to: 'api', key: `form-000${order}` });
    this.#add(process('api'), 'api.committed', order, {});
    this.#add(process('api'), 'http.request', order, { from: 'api', to: 'client', key: `form-000${order}`, status: 202 });
    this.#publish(order);
  }

  /** @param {number} order */
  #publish(order) {
    this.#add(process('relay'), 'broker.publish', order, { from: 'relay', to: 'broker', key: messageId(order) });
  }

  /** What happens around the workers. A lease that ends while its holder works shows in the holder: it stands still. @param {string} what */
  #around(what) {
    if (what === 'flush') return this.#add(nobody, 'fault.fired', 0, { point: 'redis.flush', action: 'now' });
    if (what !== 'lease-end') return this.#add(nobody, 'clock.advanced', 0, { advance: '25h0m0s' });
    const [number, worker] = [...this.#workers].find(([, { at }]) => at !== '') ?? [1, this.#worker(1)];
    return this.#add(this.#process(number), 'fault.fired', 1, { action: 'hang', point: worker.at }, worker.delivery);
  }

  /** @param {number} number @returns {Worker} */
  #worker(number) {
    const worker = this.#workers.get(number) ?? { start: 1, at: '', delivery: 0 };
    this.#workers.set(number, worker);
    return worker;
  }

  /** @param {number} number @returns {Event['process']} */
  #process(number) {
    const { start } = this.#worker(number);
    return { role: 'worker', number, start, instance: number * 10 + start, pid: noPid };
  }

  /** @typedef {{number: number, order: number, line: Line, how: string}} Turn @param {Turn} turn @param {string} verb */
  #turn(turn, verb) {
    const { number, order, line: { outcome, ended } } = turn;
    const worker = this.#worker(number);
    const done = outcome === 'done';
    switch (verb) {
      case 'deliver': this.#deliver(turn, worker); break;
      case 'crash': this.#crash(turn, worker); break;
      case 'look': this.#step(turn, 'worker.checked'); break;
      case 'claim': this.#claim(turn, done); break;
      case 'find': this.#find(turn); break;
      case 'charge': this.#charge(turn); break;
      case 'apply': this.#apply(turn, 'worker.applied'); break;
      case 'mark': this.#step(turn, done ? 'worker.recorded' : 'worker.checked'); break;
      case 'record': done ? this.#apply(turn, 'worker.recorded') : this.#step(turn, 'worker.checked'); break;
      case 'ack': this.#step(turn, 'worker.acked'); break;
      default:
    }
    if (!ended) return;
    const queue = ended === 'retry' ? 'payments.retry' : 'payments.dead';
    this.#add(this.#process(number), 'worker.settled', order, { how: ended, queue, due_at: this.#in(retrySeconds) }, worker.delivery);
    worker.at = '';
  }

  /** @param {Turn} turn @param {string} step @param {Event['detail']} [detail] */
  #step({ number, order }, step, detail = {}) {
    const worker = this.#worker(number);
    if (step.startsWith('worker.')) worker.at = step;
    this.#add(this.#process(number), step, order, detail, worker.delivery);
  }

  /** @param {Turn} turn @param {Worker} worker */
  #deliver(turn, worker) {
    const { order, line } = turn;
    worker.delivery = (this.#deliveries.get(order) ?? 0) + 1;
    this.#deliveries.set(order, worker.delivery);
    this.#step(turn, 'broker.deliver', { from: 'broker', to: 'worker', key: messageId(order), redelivered: line.outcome === 'again' });
    this.#step(turn, 'worker.received');
  }

  /** @param {Turn} turn @param {Worker} worker */
  #crash(turn, worker) {
    this.#step(turn, 'fault.fired', { action: 'crash', point: worker.at });
    Object.assign(worker, { start: worker.start + 1, at: '', delivery: 0 });
    this.#add(this.#process(turn.number), 'process.started', 0, {});
  }

  /** @param {Turn} turn @param {boolean} taken */
  #claim(turn, taken) {
    if (taken) this.#step(turn, 'claim.taken', { key: messageId(turn.order), until: this.#in(leaseSeconds) });
    this.#step(turn, 'worker.checked');
  }

  /** @param {Turn} turn */
  #find(turn) {
    const { order, line } = turn;
    this.#step(turn, 'stripe.find', { from: 'worker', to: 'stripe' });
    if (line.outcome === 'never') {
      this.#step(turn, 'fault.fired', { point: 'stripe.request_lost' });
      return this.#step(turn, 'stripe.find', { from: 'stripe', to: 'worker', outcome: 'unknown' });
    }
    const found = line.outcome === 'charged' ? { outcome: 'charged', charge_id: this.#first(order) } : {};
    this.#step(turn, 'stripe.find', { from: 'stripe', to: 'worker', ...found });
    return this.#step(turn, 'worker.checked');
  }

  /** The first charge of an order: what the bank finds, and what it gives again. @param {number} order */
  #first(order) { return this.charges.find((charge) => charge.order === order)?.id; }

  /** @param {Turn} turn */
  #charge(turn) {
    const { order, line, how } = turn;
    const key = line.key ? keyName(line.key) : `random-${String(this.#minted += 1).padStart(4, '0')}`;
    this.#step(turn, 'worker.charging');
    this.#step(turn, 'stripe.charge', { from: 'worker', to: 'stripe', key, amount, currency: 'try' });
    if (line.outcome === 'charged') this.charges.push({ order, id: `ch_model000${this.charges.length + 1}`, at: this.events[this.events.length - 1].at });
    if (how) this.#step(turn, 'fault.fired', { point: how === '=never' ? 'stripe.request_lost' : 'stripe.response_lost' });
    this.#answer(turn, { from: 'stripe', to: 'worker', key });
  }

  /** @param {Turn} turn @param {Event['detail']} answer */
  #answer(turn, answer) {
    const { order, line, how } = turn;
    if (how) return this.#step(turn, 'stripe.charge', { ...answer, outcome: 'unknown' });
    if (line.outcome === 'refused') return this.#step(turn, 'stripe.charge', { ...answer, outcome: 'refused', status: 400 });
    const id = line.outcome === 'charged' ? this.charges[this.charges.length - 1].id : this.#first(order);
    this.#step(turn, 'stripe.charge', { ...answer, outcome: line.outcome, charge_id: id, status: 200 });
    return this.#step(turn, 'worker.charged', { outcome: 'charged', charge_id: id });
  }

  /** The local effects; with the mark in one transaction where `then` is the record. @param {Turn} turn @param {string} then */
  #apply(turn, then) {
    this.#step(turn, 'ledger.effects', { points_delta: pointsOfOrder, receipt: 1 });
    this.#step(turn, then);
  }
}

/** Keys of the model are short ("m1", "minted 2.1"); on the page a key is known by its last four characters. @param {string} key */
const keyName = (key) => (/^m\d$/.test(key) ? messageId(Number(key.slice(1))) : key.replace(/\W+/g, '-').padStart(9, 'key-0000'));
