import { attr, find, h, setText } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { actions, points, reaches, strategies, times } from '../model/catalogue.js';
import { faultText } from './tell.js';

/** Strategy ladder, armed fault, start over. @param {HTMLElement} root @param {import('../app.js').App} app */
export function mountControl(root, app) {
  const act = h('p.act');
  const ladder = strategyLadder(app);
  const chip = h('button.chip', { type: 'button', popovertarget: 'fault-picker' }, icon('bolt'), h('span'));
  const disarm = h('button.plain', { type: 'button', onclick: () => { app.choose({ fault: null }); chip.focus(); } });
  const picker = faultPicker(app);
  picker.addEventListener('toggle', () => { if (picker.matches(':popover-open')) place(picker, chip); });
  const reset = h('button.plain.reset', { type: 'button', onclick: () => void app.reset() });
  const refusal = h('p.refusal', { hidden: true });
  root.append(act, ladder, h('div.fault', {}, chip, disarm), picker, h('span.grow'), reset, refusal);

  app.store.add((state, scene) => {
    const { t } = state.words;
    const { setup, route } = state;
    setText(act, route.view === 'story' ? t('act', { n: route.act }) : t('view.lab'));
    for (const input of ladder.querySelectorAll('input')) input.checked = input.value === setup.strategy;
    for (const span of ladder.querySelectorAll('span')) setText(span, t(`strategy.${span.dataset.id}`));
    setText(find('legend', ladder), t('strategy'));
    const now = sameFault(setup.fault, scene.setup.fault) ? scene.fault : undefined;
    setText(find('span', chip), faultText(state.words, setup.fault, now));
    chip.classList.toggle('armed', setup.fault !== null && now?.state !== 'silent');
    attr(chip, 'title', t('fault.change'));
    disarm.hidden = setup.fault === null || now?.state === 'armed' || now?.state === 'fired';
    setText(disarm, t('fault.disarm'));
    setText(reset, t(state.reset === 'asking' ? 'reset.sure' : state.reset === 'going' ? 'reset.going' : 'reset'));
    attr(reset, 'aria-disabled', state.reset === 'going' || state.health.phase === 'booting');
    const said = state.refusal && state.refusal.place !== 'pay' ? state.refusal.problem : null;
    refusal.hidden = !said;
    if (said) setText(refusal, t(`refused.${state.refusal?.place}`, { detail: said.detail || said.title || t('no.answer') }));
    fillPicker(picker, state);
  });
}

/** @param {import('../types.js').Fault|null} a @param {import('../types.js').Fault|null} b */
const sameFault = (a, b) => a?.point === b?.point && a?.action === b?.action && a?.times === b?.times;

/** @param {import('../app.js').App} app */
function strategyLadder(app) {
  return h('fieldset.segments', {}, h('legend.vh'), ...strategies.map(({ id }) => h('label', {},
    h('input.vh', { type: 'radio', name: 'strategy', value: id, onchange: () => app.choose({ strategy: id }) }),
    h('span', { 'data-id': id }))));
}

/** @param {import('../app.js').App} app */
function faultPicker(app) {
  const point = h('select', { id: 'fault-point' }, h('option', { value: '' }),
    ...points.map((p) => h('option', { value: p })));
  const action = h('select', { id: 'fault-action' }, ...actions.map((a) => h('option', { value: a })));
  const count = h('select', { id: 'fault-times' }, ...times.map((n) => h('option', { value: String(n) })));
  /** @param {HTMLElement} select */
  const value = (select) => /** @type {HTMLSelectElement} */ (select).value;
  const change = () => app.choose({
    fault: value(point) ? { point: value(point), action: value(action), times: Number(value(count)) } : null,
  });
  for (const select of [point, action, count]) select.addEventListener('change', change);
  return h('div.popover.picker', { id: 'fault-picker', popover: 'auto' }, h('h2'),
    h('label', { for: 'fault-point' }), point, h('div.two', {},
      h('div', {}, h('label', { for: 'fault-action' }), action), h('div', {}, h('label', { for: 'fault-times' }), count)),
    h('p.note'));
}

/** @param {HTMLElement} picker @param {import('../store.js').State} state */
function fillPicker(picker, { words: { t }, setup }) {
  const { fault, strategy } = setup;
  setText(find('h2', picker), t('fault.title'));
  for (const label of picker.querySelectorAll('label')) setText(label, t(String(label.htmlFor).replace('-', '.')));
  for (const select of picker.querySelectorAll('select')) {
    for (const option of select.options) setText(option, optionText(t, select.id, option.value));
  }
  const chosen = { 'fault-point': fault?.point ?? '', 'fault-action': fault?.action ?? 'crash', 'fault-times': String(fault?.times ?? 1) };
  for (const [id, value] of Object.entries(chosen)) /** @type {HTMLSelectElement} */ (find(`#${id}`, picker)).value = value;
  const lost = fault !== null && !reaches(strategy, fault.point);
  setText(find('.note', picker), t(lost ? 'fault.unreached' : 'fault.note', { point: fault?.point ?? '' }));
}

/** @param {(key: string) => string} t @param {string} id @param {string} value */
function optionText(t, id, value) {
  if (id === 'fault-action') return t(`action.${value}`);
  if (id === 'fault-times') return t(`times.${value}`);
  return value ? `${value} · ${t(`point.${value}`)}` : t('fault.nowhere');
}

/** Puts a popover under what opened it. @param {HTMLElement} popover @param {HTMLElement} anchor */
function place(popover, anchor) {
  const box = anchor.getBoundingClientRect();
  const left = Math.max(8, Math.min(box.left, innerWidth - popover.offsetWidth - 8));
  popover.style.left = `${left}px`;
  popover.style.top = `${Math.min(box.bottom + 8, innerHeight - popover.offsetHeight - 8)}px`;
}
