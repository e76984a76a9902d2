/** Small helpers over the DOM. Text goes in as text: there is no way here to insert markup. */

/**
 * h('button.primary', {type: 'button', onclick}, 'text', child)
 * @param {string} spec  tag and classes
 * @param {Record<string, any>} [props]  on…: listener; other values: attributes, null and false leave out
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLElement}
 */
export function h(spec, props = {}, ...children) {
  const [tag, ...classes] = spec.split('.');
  const node = document.createElement(tag);
  if (classes.length > 0) node.className = classes.join(' ');
  for (const [name, value] of Object.entries(props)) setProp(node, name, value);
  node.append(...children.filter((c) => c !== null && c !== undefined && c !== false));
  return node;
}

/** @param {Element} node @param {string} name @param {any} value */
function setProp(node, name, value) {
  if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
  else attr(node, name, value === true ? '' : value);
}

const svgSpace = 'http://www.w3.org/2000/svg';

/** @param {string} tag @param {Record<string, string|number>} [attributes] @param {...Node} children @returns {SVGElement} */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(svgSpace, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** Writes only what differs, so that a screen reader and a selection are left alone. @param {Node} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @param {Element} node @param {string} name @param {string|number|boolean|null|undefined} value */
export function attr(node, name, value) {
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
}

/** @param {string} selector @param {ParentNode} [root] @returns {HTMLElement} */
export function find(selector, root = document) {
  const node = root.querySelector(selector);
  if (!(node instanceof HTMLElement)) throw new Error(`missing ${selector}`);
  return node;
}

/**
 * Gives a list exactly these children, reusing nodes by key; what is already in place is not touched.
 * @template T
 * @param {Element} parent @param {T[]} items @param {(item: T, i: number) => string} keyOf
 * @param {(item: T, i: number) => Element} make @param {(node: Element, item: T, i: number) => void} [update]
 */
export function list(parent, items, keyOf, make, update) {
  const keys = items.map(keyOf);
  const wanted = new Set(keys);
  /** @type {Map<string, Element>} */
  const old = new Map();
  for (const node of [...parent.children]) {
    const { key = '' } = /** @type {HTMLElement} */ (node).dataset;
    // What is gone goes first: else all that follows would have to move.
    if (!wanted.has(key) || old.has(key)) node.remove();
    else old.set(key, node);
  }
  items.forEach((item, i) => {
    let node = old.get(keys[i]);
    if (!node) {
      node = make(item, i);
      /** @type {HTMLElement} */ (node).dataset.key = keys[i];
    }
    if (parent.children[i] !== node) parent.insertBefore(node, parent.children[i] ?? null);
    update?.(node, item, i);
  });
}

/** Scrolls a row into sight inside its own scroller; the page itself never moves. @param {HTMLElement} scroller @param {HTMLElement} row @param {number} around  pixels above and below it that are to be seen too */
export function reveal(scroller, row, around) {
  if (scroller.scrollHeight <= scroller.clientHeight) return;
  const box = scroller.getBoundingClientRect();
  const { top, bottom } = row.getBoundingClientRect();
  const above = box.top + around - top;
  const below = bottom + around - (box.top + scroller.clientTop + scroller.clientHeight);
  if (above > 0) scroller.scrollTop -= above;
  else if (below > 0) scroller.scrollTop += below;
}

/** Puts a popover under what opened it. @param {HTMLElement} popover @param {HTMLElement} anchor */
export function place(popover, anchor) {
  const box = anchor.getBoundingClientRect();
  const left = Math.max(8, Math.min(box.left, innerWidth - popover.offsetWidth - 8));
  popover.style.left = `${left}px`;
  popover.style.top = `${Math.max(8, Math.min(box.bottom + 8, innerHeight - popover.offsetHeight - 8))}px`;
}

/** A view brings its own styles, once. @param {string} href @returns {Promise<void>} when they apply */
export function addStyle(href) {
  const known = document.head.querySelector(`link[href="${href}"]`);
  const link = known ?? h('link', { rel: 'stylesheet', href });
  if (!known) document.head.append(link);
  return /** @type {HTMLLinkElement} */ (link).sheet ? Promise.resolve() : new Promise((done) => { link.addEventListener('load', () => done(), { once: true }); });
}
