/**
 * One tab stop for a list of rows, each with its place in `data-i`: arrows, Home and End move inside it, also to rows
 * that are not in the document yet. Focus is only ever moved by a person's key or press.
 */
export class Roving {
  #list; #choose; #press;
  #count = 0;
  #index = -1;

  /** @param {HTMLElement} list @param {(index: number) => void} choose @param {(index: number, row: HTMLElement) => void} [press]  Enter, or a press on the chosen row */
  constructor(list, choose, press = () => undefined) {
    this.#list = list;
    this.#choose = choose;
    this.#press = press;
    list.addEventListener('keydown', (e) => this.#key(e));
    list.addEventListener('mousedown', (e) => this.#down(e));
    list.addEventListener('click', (e) => this.#click(e));
    list.addEventListener('focusin', (e) => this.#chosen(this.#indexOf(e.target)));
  }

  /** @param {{length: number}} items @param {number} shown  how many of them have happened @param {number} index  the chosen row, -1 for the last that happened */
  refresh(items, shown, index) {
    this.#count = items.length;
    this.#index = Math.min(index < 0 ? Math.max(0, shown - 1) : index, this.#count - 1);
    for (const row of this.#list.children) row.setAttribute('tabindex', this.#indexOf(row) === this.#index ? '0' : '-1');
  }

  /** @param {EventTarget|null} target */
  #indexOf(target) {
    const row = target instanceof Element ? target.closest('[data-i]') : null;
    return row ? Number(row.getAttribute('data-i')) : -1;
  }

  /** @param {number} index @returns {HTMLElement|null} */
  #row(index) { return this.#list.querySelector(`[data-i="${index}"]`); }

  /** @param {number} index */
  #chosen(index) {
    if (index >= 0 && index < this.#count) this.#choose(index);
  }

  #before = -1;

  /** A press chooses; a press on the chosen one opens. @param {MouseEvent} event */
  #down(event) {
    const row = this.#row(this.#indexOf(event.target));
    this.#before = row !== null && row.contains(document.activeElement) ? this.#indexOf(row) : -1;
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const index = this.#indexOf(event.target);
    const row = this.#row(index);
    if (!row) return;
    if (this.#before === index) this.#press(index, row);
    else row.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const row = this.#row(this.#index);
    if (event.key === 'Enter' && row) {
      event.preventDefault();
      this.#press(this.#index, row);
      return;
    }
    /** @type {Record<string, number>} */
    const goal = { ArrowDown: this.#index + 1, ArrowUp: this.#index - 1, Home: 0, End: this.#count - 1 };
    if (!(event.key in goal)) return;
    event.preventDefault();
    const index = Math.min(this.#count - 1, Math.max(0, goal[event.key]));
    this.#choose(index);
    setTimeout(() => this.#row(index)?.focus({ preventScroll: true }), 0);
  }
}
