import { svg } from '../../lib/dom.js';

/**
 * A pen for pictures: lines, boxes and words in units of one CSS pixel at the smallest text size. It wraps words to
 * the room they have and remembers how far down it has drawn, so that nothing is ever cut off.
 *
 * What is drawn is hidden from screen readers, which get the picture as sentences; what can be pressed is not.
 *
 * @typedef {{cls?: string, anchor?: 'start'|'middle'|'end', max?: number}} TextStyle  `max`: the room for a line
 * @typedef {object} Press  something that can be pressed
 * @property {string} id     stays the same when the picture is drawn again, so that focus stays
 * @property {string} label  its name, a complete phrase
 * @property {number} x
 * @property {number} y
 * @property {number} w
 * @property {number} h
 * @property {string} [href]
 * @property {() => void} [onpress]
 * @property {boolean} [pressed]
 * @property {string} [cls]
 */

export const leading = 20;
const rise = 15;

export class Pen {
  bottom = 0;
  #art = svg('g', { 'aria-hidden': 'true' });
  #touch = svg('g');
  #measure;

  /** @param {number} width @param {(text: string, strong: boolean) => number} measure  the width of a text */
  constructor(width, measure) {
    this.width = width;
    this.narrow = width < 540;
    this.#measure = measure;
  }

  /** @returns {SVGElement[]} */
  get nodes() { return [this.#art, this.#touch]; }

  /** @param {string} tag @param {Record<string, string|number>} attributes @param {number} bottom */
  #add(tag, attributes, bottom) {
    const node = svg(tag, attributes);
    this.#art.append(node);
    this.bottom = Math.max(this.bottom, bottom);
    return node;
  }

  /** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {string} [cls] */
  line(x1, y1, x2, y2, cls = '') { this.#add('line', { x1, y1, x2, y2, class: `p-line ${cls}` }, Math.max(y1, y2)); }

  /** @param {string} d @param {string} cls @param {number} [bottom] */
  path(d, cls, bottom = 0) { this.#add('path', { d, class: cls }, bottom); }

  /** @param {number} cx @param {number} cy @param {number} r @param {string} [cls] */
  dot(cx, cy, r, cls = '') { this.#add('circle', { cx, cy, r, class: `p-dot ${cls}` }, cy + r); }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {string} [cls] @param {number} [rx] */
  box(x, y, width, height, cls = '', rx = 6) {
    this.#add('rect', { x, y, width: Math.max(0, width), height: Math.max(0, height), rx, class: `p-box ${cls}` }, y + height);
  }

  /** A line with a filled head. @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {string} [cls] */
  arrow(x1, y1, x2, y2, cls = '') {
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [bx, by] = [x2 - ux * 8, y2 - uy * 8];
    this.line(x1, y1, bx, by, cls);
    this.path(`M${x2} ${y2}L${bx - uy * 5} ${by + ux * 5}L${bx + uy * 5} ${by - ux * 5}z`, `p-head ${cls}`, y2 + 5);
  }

  /** A kill. @param {number} x @param {number} y @param {number} [r] @param {string} [cls] */
  cross(x, y, r = 7, cls = '') { this.path(`M${x - r} ${y - r}l${2 * r} ${2 * r}M${x + r} ${y - r}l${-2 * r} ${2 * r}`, `p-cross ${cls}`, y + r); }

  /** A pattern for bars, so that colour is not alone: slanted lines inside a box. @param {number} x @param {number} y @param {number} w @param {number} h @param {string} cls */
  hatch(x, y, w, h, cls) {
    this.box(x, y, w, h, cls, 3);
    let d = '';
    for (let s = -h + 5; s < w; s += 8) {
      const [a, b] = [Math.max(0, s), Math.min(w, s + h)];
      d += `M${x + a} ${y + h - (a - s)}L${x + b} ${y + h - (b - s)}`;
    }
    this.path(d, `p-hatch ${cls}`);
  }

  /** A small sign on a 20 × 20 grid. @param {number} x @param {number} y @param {string} d @param {string} [cls] */
  icon(x, y, d, cls = '') { this.#add('path', { d, class: `p-icon ${cls}`, transform: `translate(${x} ${y})` }, y + 20); }

  /** How wide a text is. @param {string} text @param {boolean} [strong] */
  wide(text, strong = false) { return this.#measure(text, strong); }

  /** @param {string} text @param {number} max @param {boolean} [strong] */
  lines(text, max, strong = false) {
    /** @type {string[]} */
    const out = [];
    for (const word of text.split(' ').flatMap((w) => (this.wide(w, strong) > max ? w.split(/(?<=-)/) : [w]))) {
      const longer = out.length > 0 ? `${out.at(-1)} ${word}` : '';
      if (longer && this.wide(longer, strong) <= max) out[out.length - 1] = longer;
      else out.push(word);
    }
    return out;
  }

  /**
   * Words, from their top edge down. @param {number} x @param {number} y @param {string} text @param {TextStyle} [style]
   * @returns {number} the lower edge
   */
  text(x, y, text, { cls = '', anchor = 'start', max = Infinity } = {}) {
    const lines = this.lines(text, max, cls.includes('strong'));
    const node = this.#add('text', { class: `p-text ${cls}`, 'text-anchor': anchor }, y + lines.length * leading);
    lines.forEach((line, i) => {
      const part = svg('tspan', { x, y: y + rise + i * leading });
      part.textContent = line;
      node.append(part);
    });
    return y + lines.length * leading;
  }

  /** The tail of an id in its shape: keys are round, messages square. @param {number} x  its middle @param {number} y  its top @param {string} text @param {'key'|'message'} kind @param {string} [cls] */
  tag(x, y, text, kind, cls = '') {
    const w = Math.max(44, text.length * 8.5 + 16);
    this.box(x - w / 2, y, w, 26, `tag-${kind} ${cls}`, kind === 'key' ? 13 : 2);
    this.text(x, y + 3, text, { cls: `mono ${cls}`, anchor: 'middle' });
    return w;
  }

  /** @param {Press} press */
  press({ id, label, x, y, w, h, href, onpress, pressed, cls = '' }) {
    const name = { 'data-id': id, 'aria-label': label, class: `p-press ${cls}` };
    const node = href ? svg('a', { ...name, href }) : svg('g', { ...name, role: 'button', tabindex: 0 });
    if (pressed !== undefined) node.setAttribute('aria-pressed', String(pressed));
    node.append(svg('rect', { x, y, width: w, height: h, rx: 6 }));
    if (onpress) {
      node.addEventListener('click', onpress);
      node.addEventListener('keydown', (e) => {
        if (e.key !== 'Enter' && e.key !== ' ') return;
        e.preventDefault();
        onpress();
      });
    }
    if (href) this.path(`M${x + w - 13} ${y + h - 15}l5 5l-5 5`, 'p-line accent open');
    this.#touch.append(node);
    this.bottom = Math.max(this.bottom, y + h);
  }
}
