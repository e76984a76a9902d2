import { laneOf, sender } from './lanes.js';

/**
 * Trace → rows. A row is one thing a person can follow; the events around it are folded into it. Rows are only
 * ever added at the end as events come in, so that a playhead over them stays valid.
 *
 * @typedef {import('../types.js').Event} Event
 * @typedef {import('../types.js').Row} Row
 * @typedef {import('../types.js').Params} Params
 */

/**
 * @param {Event[]} events  of one run, in the order of their ids
 * @param {Set<string>} open  unfolded roles
 * @returns {Row[]}
 */
export function rowsOf(events, open) {
  /** @type {Row[]} */
  const rows = [];
  const story = new Story(rows, open);
  events.forEach((event, index) => {
    const row = story.read(event);
    if (row) rows.push({ params: {}, events: [event], index, event, ...row });
    else rows.at(-1)?.events.push(event);
  });
  return rows;
}

/** Answers of the bank that say what became of the money. */
const answers = new Set(['charged', 'declined', 'replayed']);

/** @typedef {{kind: string, from: string, to: string, params?: Params, tag?: string, tagKind?: Row['tagKind']}} NewRow */

class Story {
  #rows; #open;
  #presses = 0;
  /** Message ids that were published. @type {Set<string>} */ #published = new Set();
  /** The bank's last answer to each process. @type {Map<number, string>} */
  #outcomes = new Map();
  /** Processes that were killed and are not back yet. @type {Set<string>} */
  #dead = new Set();
  /** Who took part, so that a stranger's restart adds no row. @type {Set<string>} */
  #seen = new Set();

  /** @param {Row[]} rows @param {Set<string>} open */
  constructor(rows, open) { this.#rows = rows; this.#open = open; }

  /** @param {Event} event @returns {NewRow|undefined} */
  read(event) {
    const who = `${event.process.role}/${event.process.number}`;
    if (event.step !== 'process.started') this.#seen.add(who);
    switch (event.step) {
      case 'http.request': return this.#http(event);
      case 'api.committed': return this.#stored();
      case 'broker.publish': return this.#publish(event);
      case 'relay.marked': return this.#if('relay', 'sentmark', 'relay', 'relay');
      case 'broker.deliver': return this.#deliver(event);
      case 'claim.taken': return this.#claim(event);
      case 'worker.checked': return this.#looked(event);
      case 'stripe.find': return this.#find(event);
      case 'stripe.charge': return this.#charge(event);
      case 'ledger.effects': return this.#effects(event);
      case 'worker.applied': return this.#unlessJust(event, this.#worker(event, 'decision', 'ledger'));
      case 'worker.recorded': return this.#recorded(event);
      case 'worker.acked': return this.#worker(event, 'ack', 'queue');
      case 'worker.settled': return this.#settled(event);
      case 'mail.claimed': return this.#if('mailer', 'mailclaim', 'ledger', 'mailer');
      case 'mail.sent': return { kind: 'mail', from: this.#open.has('mailer') ? 'mailer' : 'ledger', to: 'shop' };
      case 'fault.fired': return this.#fault(event, who);
      case 'process.started': return this.#started(event, who);
      case 'clock.advanced': return { kind: 'clock', from: 'bank', to: 'bank', params: { hours: Number.parseInt(event.detail.advance ?? '', 10) || '' } };
      default: return undefined;
    }
  }

  /** @returns {NewRow|undefined} */
  #stored() {
    if (this.#open.has('api')) return { kind: 'stored', from: 'api', to: 'api' };
    return this.#if('relay', 'stored', 'shop', 'relay');
  }

  /** @param {string} role @param {string} kind @param {string} from @param {string} to @returns {NewRow|undefined} */
  #if(role, kind, from, to) { return this.#open.has(role) ? { kind, from, to } : undefined; }

  /** @param {Event} event @param {string} kind @param {string} to @returns {NewRow} */
  #worker(event, kind, to) { return { kind, from: laneOf(event.process, this.#open), to }; }

  /** @param {Event} event @returns {NewRow|undefined} */
  #http({ detail }) {
    const call = detail.to === 'api';
    if (call) this.#presses += 1;
    if (this.#open.has('api')) {
      if (call) {
        const kind = this.#presses > 1 ? 'requestAgain' : 'request';
        return { kind, from: 'shop', to: 'api', tag: detail.key, tagKind: 'key' };
      }
      const kind = detail.outcome === 'replayed' ? 'sameOrder' : (detail.status ?? 0) >= 400 ? 'refused' : 'accepted';
      return { kind, from: 'api', to: 'shop', params: { status: detail.status ?? '' } };
    }
    if (call || detail.outcome !== 'replayed') return undefined;
    return { kind: 'sameOrder', from: 'shop', to: 'shop', params: { status: detail.status ?? '' } };
  }

  /** @param {Event} event @returns {NewRow} */
  #publish(event) {
    const tag = event.detail.key || event.message_id;
    const again = this.#published.has(tag ?? '');
    this.#published.add(tag ?? '');
    const kind = again ? 'publishAgain' : this.#open.size > 0 && sender(this.#open) !== 'shop' ? 'publish' : 'sent';
    return { kind, from: sender(this.#open), to: 'queue', tag, tagKind: 'message' };
  }

  /** @param {Event} event @returns {NewRow} */
  #deliver(event) {
    const kind = event.detail.redelivered ? 'redeliver' : 'deliver';
    const n = event.delivery || this.#rows.filter((row) => row.kind.endsWith('deliver')).length + 1;
    const to = event.process.role === 'worker' ? laneOf(event.process, this.#open) : 'worker';
    return { kind, from: 'queue', to, params: { n }, tag: event.detail.key || event.message_id, tagKind: 'message' };
  }

  /** @param {Event} event @returns {NewRow} */
  #charge(event) {
    const { detail } = event;
    const worker = laneOf(event.process, this.#open);
    if (!detail.outcome) return { kind: 'charge', from: worker, to: 'bank', tag: detail.key, tagKind: 'key' };
    this.#outcomes.set(event.process.instance, detail.outcome);
    if (!answers.has(detail.outcome)) return { kind: 'unknown', from: 'bank', to: worker, params: { http: detail.status ? `HTTP ${detail.status}.` : '' } };
    return { kind: detail.outcome, from: 'bank', to: worker, tag: detail.charge_id, tagKind: 'charge' };
  }

  /** The worker asks the bank whether it has charged this job. @param {Event} event @returns {NewRow} */
  #find({ detail, process }) {
    const worker = laneOf(process, this.#open);
    if (detail.from === 'worker') return { kind: 'find', from: worker, to: 'bank' };
    if (detail.outcome === 'unknown') return { kind: 'unknown', from: 'bank', to: worker, params: { http: detail.status ? `HTTP ${detail.status}.` : '' } };
    const found = Boolean(detail.charge_id);
    if (found) this.#outcomes.set(process.instance, detail.outcome ?? '');
    return { kind: found ? 'found' : 'notfound', from: 'bank', to: worker, tag: detail.charge_id, tagKind: 'charge' };
  }

  /** @param {Event} event @returns {NewRow} */
  #claim(event) {
    const seconds = (Date.parse(event.detail.until ?? '') - Date.parse(event.at)) / 1000;
    return { ...this.#worker(event, 'claim', 'ledger'), params: { s: Number.isFinite(seconds) ? Math.max(0.1, Math.round(seconds * 10) / 10) : '' }, tag: event.detail.key, tagKind: 'message' };
  }

  /** A look, unless the row before tells of it already. @param {Event} event @returns {NewRow|undefined} */
  #looked(event) {
    const own = this.#rows.findLast((row) => row.event.process.instance === event.process.instance);
    return ['claim', 'found', 'notfound'].includes(own?.kind ?? '') ? undefined : this.#worker(event, 'look', 'ledger');
  }

  /** @param {Event} event @returns {NewRow} */
  #effects(event) {
    if (this.#outcomes.get(event.process.instance) === 'declined') return this.#worker(event, 'decision', 'ledger');
    return { ...this.#worker(event, 'effects', 'ledger'), params: { points: event.detail.points_delta ?? 0 } };
  }

  /** @param {Event} event @returns {NewRow|undefined} */
  #recorded(event) {
    const row = this.#rows.findLast((r) => r.event.process.instance === event.process.instance);
    const together = (row?.kind === 'effects' || row?.kind === 'decision')
      && !row.events.some((e) => e.step === 'worker.applied');
    if (together && row) row.params.marked = 1;
    return together ? undefined : this.#worker(event, 'mark', 'ledger');
  }

  /** @param {Event} event @param {NewRow} row */
  #unlessJust(event, row) {
    const last = this.#rows.findLast((r) => r.event.process.instance === event.process.instance);
    return ['effects', 'decision'].includes(last?.kind ?? '') ? undefined : row;
  }

  /** @param {Event} event @returns {NewRow|undefined} */
  #settled(event) {
    const { how, queue = '', reason = '', due_at: due = '' } = event.detail;
    const s = Math.max(0, Math.round((Date.parse(due) - Date.parse(event.at)) / 100) / 10);
    if (how === 'retry') return { ...this.#worker(event, 'retry', 'queue'), params: { queue, reason, s: Number.isFinite(s) ? s : '' } };
    if (how === 'dead-letter') return { ...this.#worker(event, 'dead', 'queue'), params: { queue, reason } };
    return undefined;
  }

  /** @param {Event} event @param {string} who @returns {NewRow|undefined} */
  #fault(event, who) {
    const { action = '', point = '' } = event.detail;
    if (point.startsWith('stripe.')) return this.#onTheWire(point);
    if (point === 'redis.flush') return { kind: 'flush', from: 'ledger', to: 'ledger' };
    if (point.startsWith('broker.')) return undefined;
    const lane = laneOf(event.process, this.#open);
    if (action === 'crash') this.#dead.add(who);
    const kind = { crash: 'crash', hang: 'hang', hold: 'hold', disconnect: 'cut' }[action] ?? 'error';
    return { kind, from: lane, to: lane, params: { ...named(event), point } };
  }

  /** What broke on the way to the bank shows in the call and in its answer. @param {string} point @returns {undefined} */
  #onTheWire(point) {
    const call = this.#rows.findLast((row) => row.kind === 'charge' || row.kind === 'find');
    if (call && point === 'stripe.request_lost') call.params.lost = 1;
    return undefined;
  }

  /** @param {Event} event @param {string} who @returns {NewRow|undefined} */
  #started(event, who) {
    if (!this.#dead.delete(who) && !this.#seen.has(who)) return undefined;
    const lane = laneOf(event.process, this.#open);
    const visible = event.process.role === 'worker' || this.#open.has(event.process.role);
    return visible ? { kind: 'start', from: lane, to: lane, params: named(event) } : undefined;
  }
}

/** @param {Event} event @returns {Params} */
const named = ({ process }) => ({ role: process.role, number: process.number, start: process.start, pid: process.pid });
