/**
 * One tab stop for a list of rows: arrows, Home and End move inside it. Focus is only ever moved by a person's key.
 */
export class Roving {
  #list; #choose;
  #count = 0;
  #index = -1;

  /** @param {HTMLElement} list @param {(index: number) => void} choose */
  constructor(list, choose) {
    this.#list = list;
    this.#choose = choose;
    list.addEventListener('keydown', (e) => this.#key(e));
    list.addEventListener('click', (e) => this.#click(e));
    list.addEventListener('focusin', (e) => this.#chosen(this.#indexOf(e.target)));
  }

  /** @param {number} count @param {number} index  the chosen row, -1 for the last */
  refresh(count, index) {
    this.#count = count;
    this.#index = index < 0 ? count - 1 : Math.min(index, count - 1);
    [...this.#list.children].forEach((row, i) => {
      if (i >= count) row.removeAttribute('tabindex');
      else row.setAttribute('tabindex', i === this.#index ? '0' : '-1');
    });
  }

  /** @param {EventTarget|null} target */
  #indexOf(target) {
    const row = target instanceof Element ? target.closest('[data-key]') : null;
    return row ? [...this.#list.children].indexOf(row) : -1;
  }

  /** @param {number} index */
  #chosen(index) {
    if (index >= 0 && index < this.#count) this.#choose(index);
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const index = this.#indexOf(event.target);
    if (index < this.#count) /** @type {HTMLElement|undefined} */ (this.#list.children[index])?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {Record<string, number>} */
    const goal = { ArrowDown: this.#index + 1, ArrowUp: this.#index - 1, Home: 0, End: this.#count - 1 };
    if (!(event.key in goal) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const index = Math.min(this.#count - 1, Math.max(0, goal[event.key]));
    /** @type {HTMLElement|undefined} */ (this.#list.children[index])?.focus();
  }
}
