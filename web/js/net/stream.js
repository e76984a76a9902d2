/**
 * The live event list. It reconnects by itself and resumes exactly after the last event it has heard, so a killed
 * api loses nothing. While the tab is hidden it holds no connection: a browser has six for one host.
 */
export class EventStream extends EventTarget {
  /** @type {EventSource|null} */ #source = null;
  #timer = 0;
  #delay = 300;
  #wanted = false;
  lastId = 0;
  connected = false;

  /** Opens now and keeps it open until `close`. */
  open() {
    this.#wanted = true;
    document.addEventListener('visibilitychange', this.#visibility);
    this.#connect();
  }

  close() {
    this.#wanted = false;
    document.removeEventListener('visibilitychange', this.#visibility);
    this.#drop();
  }

  #visibility = () => {
    if (document.visibilityState === 'hidden') this.#drop();
    else this.#connect();
  };

  #connect() {
    if (!this.#wanted || this.#source || document.visibilityState === 'hidden') return;
    clearTimeout(this.#timer);
    const source = new EventSource(this.lastId ? `lab/events?after=${this.lastId}` : 'lab/events');
    this.#source = source;
    source.onopen = () => { this.#delay = 300; this.#say(true); };
    source.onmessage = (message) => this.#heard(message);
    source.onerror = () => {
      this.#drop();
      this.#say(false);
      this.#timer = window.setTimeout(() => this.#connect(), this.#delay);
      this.#delay = Math.min(5000, this.#delay * 2);
    };
  }

  #drop() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  /** @param {MessageEvent<string>} message */
  #heard(message) {
    let event;
    try { event = JSON.parse(message.data); } catch { return; }
    if (typeof event?.id !== 'number' || typeof event.step !== 'string') return;
    event.detail ??= {};
    event.process ??= { role: '', number: 0, start: 0, instance: 0, pid: 0 };
    this.lastId = Math.max(this.lastId, event.id);
    this.dispatchEvent(new CustomEvent('trace', { detail: event }));
  }

  /** @param {boolean} connected */
  #say(connected) {
    this.connected = connected;
    this.dispatchEvent(new CustomEvent('connection', { detail: connected }));
  }
}
