/**
 * A small imitation of a run, for tests and for work on the page without the real lab: the events that api, relay,
 * worker and mailer would leave, with one fault. It is no proof of anything; the real processes are.
 *
 * @typedef {{strategy: string, fault: {point: string, action: string, times: number}|null, card: string, amount: number,
 *   currency: string, key: string, orderId: string, messageId: string}} Plan
 */

export const paths = {
  naive: ['charging', 'charged', 'applied', 'acked'],
  'seen-set': ['checked', 'charging', 'charged', 'applied', 'recorded', 'acked'],
  'seen-set-and-key': ['checked', 'charging', 'charged', 'recorded', 'acked'],
};

class Died extends Error {}

/** @param {Plan} plan */
export function simulate(plan) {
  return new World(plan).run();
}

class World {
  /** @type {any[]} */ events = [];
  /** @type {any[]} */ bank = [];
  ledger = { status: 'pending', points: 0, receipts: 0, charge_id: '', marked: false };
  deliveries = 0;
  requests = 0;
  replayed = 0;
  starts = { api: 1, relay: 1, worker: 1, mailer: 1 };
  /** @type {Map<string, string>} */ memory = new Map();

  /** @param {Plan} plan */
  constructor(plan) {
    this.plan = plan;
    this.left = plan.fault?.times ?? 0;
    this.declines = plan.card.includes('Declined');
  }

  /** @param {string} role @param {string} step @param {any} [detail] @param {any} [more] */
  note(role, step, detail = {}, more = {}) {
    const start = this.starts[role];
    this.events.push({
      order_id: this.plan.orderId, message_id: role === 'api' ? '' : this.plan.messageId, delivery: role === 'worker' ? this.deliveries : 0,
      process: { role, number: 1, start, instance: start * 10 + role.length, pid: 4100 + role.length * 7 + start * 38 }, step, detail, ...more,
    });
  }

  /** @param {string} role @param {string} step */
  reach(role, step) {
    this.note(role, step);
    const { fault } = this.plan;
    if (fault?.point !== step || this.left === 0) return;
    this.left -= 1;
    this.note(role, 'fault.fired', { point: step, action: fault.action });
    if (fault.action === 'hang') return;
    if (fault.action === 'crash') {
      this.starts[role] += 1;
      this.note(role, 'process.started', {}, { order_id: '', message_id: '' });
    }
    throw new Died(fault.action);
  }

  /** @param {() => void} work  repeated until it ends without dying */
  until(work) {
    for (let i = 0; i < 5; i += 1) {
      try { work(); return; } catch (error) { if (!(error instanceof Died)) throw error; }
    }
  }

  run() {
    this.until(() => this.api());
    this.until(() => this.relay());
    this.until(() => this.worker());
    if (this.ledger.status === 'paid') this.until(() => this.mail());
    return { events: this.events, verdict: this.verdict(), bank: this.bank, ledger: this.ledger };
  }

  api() {
    const { key } = this.plan;
    const again = this.stored;
    this.note('api', 'http.request', { from: 'client', to: 'api', key }, { order_id: '' });
    if (!again) {
      this.reach('api', 'api.received');
      this.reach('api', 'api.written');
      this.stored = true;
      this.reach('api', 'api.committed');
    }
    this.note('api', 'http.request', { from: 'api', to: 'client', key, status: 202, outcome: again ? 'replayed' : '' });
  }

  relay() {
    this.reach('relay', 'relay.claimed');
    this.note('relay', 'broker.publish', { from: 'relay', to: 'broker', key: this.plan.messageId });
    this.reach('relay', 'relay.published');
    this.reach('relay', 'relay.marked');
  }

  worker() {
    this.deliveries += 1;
    this.note('worker', 'broker.deliver', { from: 'broker', to: 'worker', key: this.plan.messageId, redelivered: this.deliveries > 1 });
    this.reach('worker', 'worker.received');
    for (const step of paths[this.plan.strategy]) {
      if (step === 'charged') this.charge();
      if (step === 'applied' || (step === 'recorded' && this.plan.strategy === 'seen-set-and-key')) this.apply();
      if (step === 'recorded') this.ledger.marked = true;
      this.reach('worker', `worker.${step}`);
      if (step === 'checked' && this.ledger.marked) { this.reach('worker', 'worker.acked'); break; }
    }
    this.note('worker', 'worker.settled', { how: 'ack' });
  }

  charge() {
    const { amount, currency, messageId, strategy } = this.plan;
    const key = strategy === 'seen-set-and-key' ? messageId : `stripe-go-${Math.random().toString(16).slice(2, 10)}`;
    this.requests += 1;
    this.note('worker', 'stripe.charge', { from: 'worker', to: 'stripe', key, amount, currency });
    const known = this.memory.get(key);
    const id = known ?? `ch_3Q${Math.random().toString(36).slice(2, 12)}`;
    this.memory.set(key, id);
    if (!known) this.bank.push({ charge_id: id, amount, currency, status: this.declines ? 'failed' : 'succeeded' });
    else this.replayed += 1;
    const outcome = known ? 'replayed' : this.declines ? 'declined' : 'charged';
    this.note('worker', 'stripe.charge', { from: 'stripe', to: 'worker', key, outcome, charge_id: id, amount, currency, request_id: `req_${this.events.length}a7` });
    this.last = id;
  }

  apply() {
    if (this.declines) { this.ledger.status = 'failed'; return; }
    const points = this.plan.currency === 'jpy' ? this.plan.amount : Math.floor(this.plan.amount / (this.plan.currency === 'kwd' ? 1000 : 100));
    this.ledger.status = 'paid';
    this.ledger.points += points;
    this.ledger.charge_id ||= this.last ?? '';
    this.note('worker', 'ledger.effects', { points_delta: points, receipt: 1 });
  }

  mail() {
    this.reach('mailer', 'mail.claimed');
    this.ledger.receipts += 1;
    this.reach('mailer', 'mail.sent');
    this.reach('mailer', 'mail.marked');
  }

  verdict() {
    const took = this.bank.filter((line) => line.status === 'succeeded');
    const expected = this.declines ? 0 : 1;
    const points = this.declines ? 0 : this.plan.currency === 'jpy' ? this.plan.amount : Math.floor(this.plan.amount / (this.plan.currency === 'kwd' ? 1000 : 100));
    /** @param {any} got @param {any} want */
    const effect = (got, want) => ({ got, expected: want, ok: got === want });
    return {
      verdict: took.length > 1 ? 'double-charged' : took.length === 1 ? 'charged-once' : this.declines ? 'declined' : 'not-charged',
      charges: took.length, expected, amount_charged: took.reduce((sum, line) => sum + line.amount, 0),
      effects: {
        charge: effect(took.length, expected), status: effect(this.ledger.status, this.declines ? 'failed' : 'paid'),
        points: effect(this.ledger.points, points), receipt: effect(this.ledger.receipts, expected),
      },
      ledger: took.length > 1 ? 'missing-charge' : 'agrees', deliveries: this.deliveries, requests: this.requests, replayed: this.replayed,
    };
  }
}
