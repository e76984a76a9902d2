import { addStyle, attr, find, h, setText } from '../lib/dom.js';
import { effects } from './pictures/effects.js';
import { fork } from './pictures/fork.js';
import { frame } from './pictures/frame.js';
import { journey } from './pictures/journey.js';
import { memory } from './pictures/memory.js';
import { states } from './pictures/states.js';
import { strip } from './pictures/strip.js';
import { together } from './pictures/together.js';
import { workers } from './pictures/workers.js';

/**
 * The pictures of the third tab: eight ways to see one run. Each is data first (js/model/pictures), then a drawing
 * (js/view/pictures); none knows more than the playhead has passed.
 *
 * @typedef {import('../app.js').App} App
 */

/** A chooser, and the picture that is chosen. @param {HTMLElement} root @param {App} app */
export function mountPictures(root, app) {
  void addStyle('css/pictures.css');
  const frames = {
    strip: frame(() => strip(app)), journey: frame(journey), workers: frame((redraw) => workers(app, redraw)), memory: frame(memory),
    fork: frame(fork), states: frame(states), together: frame(together), effects: frame(effects),
  };
  let chosen = 'strip';
  const choices = Object.keys(frames).map((name) => h('label', {},
    h('input.vh', { type: 'radio', name: 'picture', value: name, onchange: () => { chosen = name; app.store.set({}); } }), h('span')));
  const chooser = h('fieldset.segments', {}, h('legend.vh'), ...choices);
  const page = h('div.pictures', {}, chooser, ...Object.values(frames).map(({ node }) => node));
  root.append(page);
  show(page, app, (state, scene) => {
    const { t } = state.words;
    setText(find('legend', chooser), t('pictures.choose'));
    for (const choice of choices) {
      const input = /** @type {HTMLInputElement} */ (find('input', choice));
      input.checked = input.value === chosen;
      setText(find('span', choice), t(`pictures.${input.value}.tab`));
    }
    for (const [name, { node, show: draw }] of Object.entries(frames)) {
      node.hidden = name !== chosen;
      if (name === chosen) draw(state, scene);
    }
  });
}

/** Follows the page once its words are there. @param {HTMLElement} page @param {App} app @param {(state: import('../store.js').State, scene: import('../store.js').Scene) => void} draw */
function show(page, app, draw) {
  app.store.add((state, scene) => {
    attr(page, 'data-present', state.route.present);
    if (state.words.has('pictures.choose')) draw(state, scene);
  });
  app.store.set({});
}
