import { attr, find, h, list, setText } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { waitOf, worthTelling } from '../model/wait.js';
import { barsOf, barThatTells } from '../model/window.js';
import { ghostWords, itemsOf } from './item.js';
import { facts, say } from './tell.js';
import { goOn, nextKey } from './shop.js';

/** Details of one row, and the controls of the one playhead. @param {HTMLElement} root @param {import('../app.js').App} app @param {() => number} [now]  the clock, in milliseconds */
export function mountTransport(root, app, now = Date.now) {
  const { player } = app;
  const told = h('p.told');
  const everySecond = ticker(() => app.store.set({}));
  const known = h('p.facts', { lang: 'en', translate: 'no' });
  const buttons = /** @type {Array<[string, () => void]>} */ ([
    ['first', () => player.seek(0)], ['back', () => player.step(-1)], ['play', () => player.toggle()],
    ['forward', () => player.step(1)], ['last', () => player.seek(app.store.rows.length)],
  ]).map(([name, onclick]) => h('button.square', { type: 'button', 'data-name': name, onclick }, icon(name)));
  const slider = /** @type {HTMLInputElement} */ (h('input', {
    type: 'range', min: '0', max: '0', value: '0', oninput: () => player.seek(Number(slider.value)),
  }));
  const place = h('output.place.num');
  const pace = /** @type {HTMLSelectElement} */ (h('select', {
    onchange: () => player.setPace(/** @type {'live'|'paced'|'step'} */ (pace.value)),
  }, ...['paced', 'live', 'step'].map((value) => h('option', { value }))));
  const next = h('button.second', { type: 'button', hidden: true, onclick: () => goOn(app) }, h('span'), icon('arrow'));
  const goOnStep = h('button.primary.continue', { type: 'button', hidden: true, onclick: () => void app.stepper.goOn() });
  root.append(h('div.details', {}, told, known), h('div.transport', {}, ...buttons, slider, place, pace, goOnStep, next));

  app.store.add((state, scene) => {
    const { t } = state.words;
    const total = scene.rows.length;
    const at = scene.shown.length;
    const live = state.run?.phase === 'sending' || state.run?.phase === 'running';
    const wait = waitOf(scene, live, now());
    details(told, known, state, scene);
    if (wait && worthTelling(wait) && state.focus < 0) told.append(` ${t(`wait.${wait.kind}`, { s: wait.s })}`);
    everySecond(wait !== null);
    const playing = state.run !== null && state.head.playing && (live || at < total);
    drawPlay(buttons[2], playing);
    for (const button of buttons) {
      const name = button === buttons[2] && playing ? 'pause' : String(button.dataset.name);
      attr(button, 'aria-label', t(`transport.${name}`));
      attr(button, 'title', t(`transport.${name}`));
      attr(button, 'aria-disabled', total === 0);
    }
    attr(slider, 'max', total);
    if (slider.value !== String(at)) slider.value = String(at);
    slider.disabled = total === 0;
    attr(slider, 'aria-label', t('transport.slider'));
    attr(slider, 'aria-valuetext', t('transport.row', { n: at, m: total }));
    setText(place, t(playing && at === total ? 'transport.live' : 'transport.row', { n: at, m: total }));
    attr(pace, 'aria-label', t('pace'));
    for (const option of pace.options) setText(option, t(`pace.${option.value}`));
    pace.value = state.head.pace;
    const done = state.run !== null && state.seen && state.route.view !== 'run';
    const held = scene.held.length > 0;
    goOnStep.hidden = !held;
    setText(goOnStep, t('step.continue'));
    pace.hidden = done || held;
    next.hidden = !done;
    setText(find('span', next), t(state.route.view === 'lab' ? 'again' : 'next.short'));
    attr(next, 'title', t(nextKey(state.route)));
  });
}

/** Draws again every second, while there are seconds to count. @param {() => void} draw @returns {(on: boolean) => void} */
function ticker(draw) {
  let timer = 0;
  return (on) => {
    if (on === (timer !== 0)) return;
    if (on) timer = setInterval(draw, 1000);
    else {
      clearInterval(timer);
      timer = 0;
    }
  };
}

/** @param {HTMLElement} button @param {boolean} playing */
function drawPlay(button, playing) {
  const name = playing ? 'pause' : 'play';
  if (button.dataset.drawn === name) return;
  button.dataset.drawn = name;
  button.replaceChildren(icon(name));
}

/** @param {HTMLElement} told @param {HTMLElement} known @param {import('../store.js').State} state @param {import('../store.js').Scene} scene */
function details(told, known, { words, focus, run }, scene) {
  const index = focus >= 0 && focus < scene.shown.length ? focus : scene.shown.length - 1;
  const row = scene.shown[index];
  const [held] = scene.held;
  if (held && focus < 0) {
    setText(told, words.t('step.held', { role: words.t(`lane.${held.process.role}`), number: held.process.number, point: held.point }));
    known.replaceChildren();
    return;
  }
  const ghost = itemsOf(scene)[focus];
  const bar = scene.settled && focus < 0 ? barThatTells(scene.rows, barsOf(scene.rows, scene.strategy.windows)) : null;
  if (bar) setText(told, words.t('window.says', { harm: words.of(bar.window.harm) }));
  else if (ghost && !ghost.row) setText(told, ghostWords(ghost, { words }, scene));
  else setText(told, row ? `${index + 1}. ${say(words, row, scene)}` : words.t(run ? 'detail.sending' : 'detail.ready'));
  list(known, row ? facts(words, row, scene) : [], (_, i) => String(i), () => h('span.num'), (node, text) => setText(node, String(text)));
}
