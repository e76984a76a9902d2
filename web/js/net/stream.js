/**
 * The live event list. It reconnects by itself and resumes exactly after the last event it has heard, so a killed
 * api loses nothing. A browser has six connections for one host, so its tabs share one: the tab that holds the lock
 * reads and tells the others; a hidden tab lets the lock go.
 */
const name = 'doublecharge.events';

export class EventStream extends EventTarget {
  /** @type {EventSource|null} */ #source = null;
  #timer = 0;
  #delay = 300;
  #wanted = false;
  #leads = false;
  /** Gives the lock back, or stops waiting for it. */
  #leave = () => {};
  #others = new BroadcastChannel(name);
  lastId = 0;
  connected = false;

  /** Opens now and keeps it open until `close`. */
  open() {
    this.#wanted = true;
    this.#others.onmessage = ({ data }) => this.#told(data);
    document.addEventListener('visibilitychange', this.#visibility);
    this.#visibility();
  }

  close() {
    this.#wanted = false;
    document.removeEventListener('visibilitychange', this.#visibility);
    this.#leave();
    this.#drop();
    this.#others.close();
  }

  #visibility = () => {
    if (document.visibilityState === 'hidden') {
      this.#leave();
      return;
    }
    void this.#catchUp();
    if (!navigator.locks) return void this.#lead();
    const waiting = new AbortController();
    this.#leave = () => waiting.abort();
    navigator.locks.request(name, { signal: waiting.signal }, () => new Promise((done) => {
      this.#leave = () => { this.#drop(); done(undefined); };
      this.#lead();
    })).catch(() => undefined);
    return undefined;
  };

  #lead() {
    this.#leads = true;
    this.#connect();
  }

  #connect() {
    if (!this.#wanted || !this.#leads || this.#source) return;
    clearTimeout(this.#timer);
    const source = new EventSource(this.lastId ? `lab/events?after=${this.lastId}` : 'lab/events');
    this.#source = source;
    source.onopen = () => { this.#delay = 300; this.#say(true); };
    source.onmessage = (message) => this.#heard(message);
    source.onerror = () => {
      source.close();
      this.#source = null;
      this.#say(false);
      this.#timer = window.setTimeout(() => this.#connect(), this.#delay);
      this.#delay = Math.min(5000, this.#delay * 2);
    };
  }

  #drop() {
    clearTimeout(this.#timer);
    this.#leads = false;
    this.#source?.close();
    this.#source = null;
  }

  /** What was missed while the tab was hidden, or before it was opened. */
  async #catchUp() {
    const answer = await fetch(`lab/events?after=${this.lastId}`, { cache: 'no-store', headers: { Accept: 'application/json' } }).catch(() => null);
    if (!answer?.ok) return;
    const { events } = await answer.json().catch(() => ({ events: [] }));
    for (const event of events) this.#take(event);
  }

  /** @param {MessageEvent<string>} message */
  #heard(message) {
    let event;
    try { event = JSON.parse(message.data); } catch { return; }
    this.#others.postMessage({ event });
    this.#take(event);
  }

  /** What the tab that reads says to the others. @param {{event?: any, connected?: boolean}} data */
  #told({ event, connected }) {
    if (this.#leads) return;
    if (event) this.#take(event);
    if (connected !== undefined) this.#mark(connected);
  }

  /** @param {any} event */
  #take(event) {
    if (typeof event?.id !== 'number' || typeof event.step !== 'string') return;
    event.detail ??= {};
    event.process ??= { role: '', number: 0, start: 0, instance: 0, pid: 0 };
    this.lastId = Math.max(this.lastId, event.id);
    this.dispatchEvent(new CustomEvent('trace', { detail: event }));
  }

  /** @param {boolean} connected */
  #say(connected) {
    this.#others.postMessage({ connected });
    this.#mark(connected);
  }

  /** @param {boolean} connected */
  #mark(connected) {
    this.connected = connected;
    this.dispatchEvent(new CustomEvent('connection', { detail: connected }));
  }
}
