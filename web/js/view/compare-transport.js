import { attr, h, setText } from '../lib/dom.js';
import { icon } from '../lib/icons.js';

/** The one playhead of both sides. @param {HTMLElement} root @param {import('../player.js').Player} player */
export function compareTransport(root, player) {
  let length = 0;
  const buttons = /** @type {Array<[string, () => void]>} */ ([
    ['first', () => player.seek(0)], ['back', () => player.step(-1)], ['play', () => player.toggle()],
    ['forward', () => player.step(1)], ['last', () => player.seek(length)],
  ]).map(([name, press]) => h('button.square', { type: 'button', 'data-name': name, onclick: () => { if (length > 0) press(); } }, icon(name)));
  const slider = /** @type {HTMLInputElement} */ (h('input', {
    type: 'range', min: '0', max: '0', value: '0', oninput: () => player.seek(Number(slider.value)),
  }));
  const place = h('output.place.num');
  root.append(h('div.transport', {}, ...buttons, slider, place));

  /** @param {import('./compare.js').Own} own @param {import('../types.js').Playhead} head @param {import('../lib/i18n.js').Words} words */
  return ({ lines }, head, { t }) => {
    length = lines.length;
    const playing = head.playing && head.at < length;
    for (const button of buttons) {
      const name = button.dataset.name === 'play' && playing ? 'pause' : String(button.dataset.name);
      if (button.dataset.drawn !== name) button.replaceChildren(icon(name));
      button.dataset.drawn = name;
      attr(button, 'aria-label', t(`transport.${name}`));
      attr(button, 'title', t(`transport.${name}`));
      attr(button, 'aria-disabled', length === 0 ? 'true' : null);
    }
    attr(slider, 'max', length);
    if (slider.value !== String(head.at)) slider.value = String(head.at);
    slider.disabled = length === 0;
    attr(slider, 'aria-label', t('transport.slider'));
    attr(slider, 'aria-valuetext', t('transport.row', { n: head.at, m: length }));
    setText(place, t('transport.row', { n: head.at, m: length }));
  };
}
