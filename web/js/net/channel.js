/**
 * What the windows of one browser tell each other: the window with the stage says where the lesson is, the window
 * with the notes asks for it and sends what a person presses there. Nothing else of a page is in it.
 *
 * @typedef {'next'|'back'|'reveal'|'restart'} Order
 * @typedef {{type: 'where', from: string, lesson: any}|{type: 'hello', from: string}|{type: 'do', from: string, to: string, order: Order}} Message
 */
const orders = ['next', 'back', 'reveal', 'restart'];

export class Channel {
  #channel = new BroadcastChannel('doublecharge');

  /** @param {string} id  of this window */
  constructor(id) { this.id = id; }

  /** @param {(message: Message) => void} hear */
  listen(hear) {
    this.#channel.addEventListener('message', ({ data }) => { if (sound(data)) hear(data); });
  }

  /** @param {any} lesson */
  tell(lesson) { this.#channel.postMessage({ type: 'where', from: this.id, lesson }); }

  hello() { this.#channel.postMessage({ type: 'hello', from: this.id }); }

  /** @param {string} to @param {Order} order */
  order(to, order) { this.#channel.postMessage({ type: 'do', from: this.id, to, order }); }
}

/** Another version of the page may still be open: what it says is dropped. @param {any} data @returns {data is Message} */
function sound(data) {
  if (typeof data?.from !== 'string') return false;
  if (data.type === 'do') return typeof data.to === 'string' && orders.includes(data.order);
  return data.type === 'hello' || (data.type === 'where' && typeof data.lesson?.scenario === 'string');
}
