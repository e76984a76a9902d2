import { attr, h, list, setText, svg } from '../../lib/dom.js';
import { Pen } from './pen.js';

/**
 * One picture: its model, how it is drawn, and how it is told. The frame draws it again when what it shows, its words
 * or its width have changed, and at no other time.
 *
 * @typedef {import('../../store.js').State} State
 * @typedef {import('../../store.js').Scene} Scene
 * @typedef {import('../../lib/i18n.js').Words} Words
 */

/**
 * @template D
 * @typedef {object} Picture
 * @property {string} name
 * @property {(state: State, scene: Scene) => D} read   plain data: everything that is drawn
 * @property {(pen: Pen, data: D, words: Words) => void} draw
 * @property {(data: D, words: Words) => string[]} tell  the same in sentences
 * @property {HTMLElement} [controls]
 * @property {(data: D, words: Words) => void} [label]   names the controls
 */

/** The widest a picture is laid out; on a larger stage it is drawn larger. */
const widest = 632;
/** In presenter mode the smallest text is 18 px instead of 14; the page may be zoomed already. @param {Element} node */
const presenting = (node) => 18 / 14 / (/** @type {{currentCSSZoom?: number}} */ (node).currentCSSZoom ?? 1);

/** How wide words are in the letters of the page. @param {Element} near @returns {(text: string, strong: boolean) => number} */
function measurer(near) {
  const context = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));
  const family = getComputedStyle(near).fontFamily;
  return (text, strong) => {
    context.font = `${strong ? 600 : 400} 14px ${family}`;
    return context.measureText(text).width * 1.02;
  };
}

/**
 * @template D
 * @param {(redraw: () => void) => Picture<D>} make
 */
export function frame(make) {
  const picture = make(() => draw());
  const told = h('ol.vh');
  const drawn = svg('svg', { role: 'group', class: 'drawn', focusable: 'false' });
  const caption = h('figcaption');
  const node = h(`figure.picture-${picture.name}`, {}, told, drawn, picture.controls, caption);
  /** @type {{state: State, scene: Scene}|null} */
  let shown = null;
  let last = '';
  let width = 0;
  new ResizeObserver(() => {
    const now = Math.floor(node.clientWidth);
    if (now > 0 && now !== width) { width = now; draw(); }
  }).observe(node);

  function draw() {
    if (width === 0 || node.hidden || !shown) return;
    const { state, scene } = shown;
    const { words } = state;
    const data = picture.read(state, scene);
    const scale = Math.max(state.route.present && innerWidth >= 1024 ? presenting(node) : 1, width / widest);
    const now = JSON.stringify([data, words.lang, words.has(`pictures.${picture.name}`), Math.round(width / scale)]);
    if (now === last) return;
    last = now;
    const pen = new Pen(Math.floor(width / scale), measurer(node));
    picture.draw(pen, data, words);
    put(pen);
    attr(drawn, 'aria-label', words.t(`pictures.${picture.name}`));
    list(told, picture.tell(data, words), (_, i) => String(i), () => h('li'), (item, text) => setText(item, text));
    setText(caption, words.t(`pictures.${picture.name}.caption`));
    picture.label?.(data, words);
  }

  /** The new drawing takes the place of the old one; focus stays where it was. @param {Pen} pen */
  function put(pen) {
    const held = document.activeElement instanceof SVGElement && drawn.contains(document.activeElement)
      ? document.activeElement.dataset.id : undefined;
    attr(drawn, 'viewBox', `0 0 ${pen.width} ${Math.ceil(pen.bottom) + 4}`);
    drawn.replaceChildren(...pen.nodes);
    if (held) /** @type {SVGElement|null} */ (drawn.querySelector(`[data-id="${CSS.escape(held)}"]`))?.focus();
  }

  /** @param {State} state @param {Scene} scene */
  function show(state, scene) {
    shown = { state, scene };
    draw();
  }

  return { node, show };
}
