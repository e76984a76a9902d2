import { attr, find, h, place, setText } from '../lib/dom.js';
import { actions, points, reaches, roleOf, skips, strategyOf, times, troubles } from '../model/catalogue.js';

/** @typedef {import('../types.js').Fault} Fault */

/** What breaks, where, how often. It is armed by the press on Pay. @param {import('../app.js').App} app @param {HTMLElement} chip  what opens it */
export function faultPicker(app, chip) {
  const point = h('select', { id: 'fault-point' }, h('option', { value: '' }), ...pointGroups());
  const action = h('select', { id: 'fault-action' }, ...actions.map((a) => h('option', { value: a })));
  const count = h('select', { id: 'fault-times' }, ...times.map((n) => h('option', { value: String(n) })));
  const skip = h('select', { id: 'fault-skip' }, ...skips.map((n) => h('option', { value: String(n) })));
  /** @param {HTMLElement} select */
  const value = (select) => /** @type {HTMLSelectElement} */ (select).value;
  const change = () => app.choose({ fault: value(point) ? {
    point: value(point), action: troubles.includes(value(point)) ? '' : value(action) || actions[0],
    times: Number(value(count)), skip: Number(value(skip)),
  } : null });
  for (const select of [point, action, count, skip]) select.addEventListener('change', change);
  const picker = h('div.popover.picker', { id: 'fault-picker', popover: 'auto' }, h('h2'),
    h('label', { for: 'fault-point' }), point,
    h('div.three', {}, ...[action, count, skip].map((select) => h('div', {}, h('label', { for: select.id }), select))), h('p.note'));
  picker.addEventListener('toggle', () => { if (picker.matches(':popover-open')) place(picker, chip); });
  app.store.add((state) => fillPicker(picker, state));
  return picker;
}

function pointGroups() {
  const roles = [...new Set([...points, ...troubles].map(roleOf))];
  return roles.map((role) => h('optgroup', { 'data-role': role },
    ...[...points, ...troubles].filter((p) => roleOf(p) === role).map((p) => h('option', { value: p }))));
}

/** @param {HTMLElement} picker @param {import('../store.js').State} state */
function fillPicker(picker, { words: { t }, setup: { fault, strategy }, strategies, lab }) {
  setText(find('h2', picker), t('fault.title'));
  for (const label of picker.querySelectorAll('label')) setText(label, t(String(label.htmlFor).replace('-', '.')));
  for (const group of picker.querySelectorAll('optgroup')) attr(group, 'label', t(`lane.${group.dataset.role}`));
  for (const select of picker.querySelectorAll('select')) {
    for (const option of select.options) setText(option, optionText(t, select.id, option.value));
  }
  // Stripe itself takes no orders to keep a 500.
  find('[value="stripe.stored_500"]', picker).hidden = lab?.stripe?.mode === 'test';
  const chosen = {
    'fault-point': fault?.point ?? '', 'fault-action': fault?.action || actions[0], 'fault-times': String(fault?.times ?? 1), 'fault-skip': String(fault?.skip ?? 0),
  };
  for (const [id, value] of Object.entries(chosen)) /** @type {HTMLSelectElement} */ (find(`#${id}`, picker)).value = value;
  const action = /** @type {HTMLSelectElement} */ (find('#fault-action', picker));
  action.disabled = fault !== null && troubles.includes(fault.point);
  const lost = fault !== null && !reaches(strategyOf(strategies, strategy).steps, fault.point);
  setText(find('.note', picker), t(lost ? 'fault.unreached' : 'fault.note', { point: fault?.point ?? '' }));
}

/** @param {(key: string, params?: any) => string} t @param {string} id @param {string} value */
function optionText(t, id, value) {
  if (id === 'fault-action') return t(`action.${value}`);
  if (id === 'fault-times') return t(`times.${value}`);
  if (id === 'fault-skip') return t(`skip.${value}`);
  return value ? `${value} · ${t(`point.${value}`)}` : t('fault.nowhere');
}
