import { attr, h, list, setText } from '../lib/dom.js';
import { actions, grouped, ladder, strategyOf, troubles } from '../model/catalogue.js';
import { points } from '../model/compare.js';

/**
 * What is compared: two strategies, one fault; and the press that runs both.
 *
 * @typedef {import('./compare.js').Pair} Pair
 * @param {HTMLElement} root
 * @param {{choose: (patch: Partial<Pair>) => void, run: () => void, side: (side: 'a'|'b') => void}} on
 */
export function compareBar(root, on) {
  /** @param {string} id @param {(value: string) => void} chosen */
  const field = (id, chosen) => {
    const select = /** @type {HTMLSelectElement} */ (h('select', { id: `compare-${id}`, onchange: () => chosen(select.value) }));
    const label = h('label', { for: select.id });
    return { select, label, node: h('div.field', {}, label, select) };
  };
  const title = h('h2.vh');
  const a = field('a', (value) => on.choose({ a: value }));
  const b = field('b', (value) => on.choose({ b: value }));
  const fault = field('fault', (point) => on.choose({ fault: point ? { point, action: troubles.includes(point) ? '' : action.select.value || actions[0], times: 1, skip: 0 } : null }));
  const action = field('action', (value) => on.choose({ fault: { point: fault.select.value, action: value, times: 1, skip: 0 } }));
  const run = h('button.primary', { type: 'button', onclick: on.run });
  const said = h('p.vh', { role: 'status' });
  const trouble = h('p.refusal', { role: 'alert' });
  const left = h('button', { type: 'button', onclick: () => on.side('a') });
  const right = h('button', { type: 'button', onclick: () => on.side('b') });
  const which = h('div.segments', { role: 'group' }, left, right);
  root.append(title, h('div.fields', {}, ...[a, b, fault, action].map(({ node }) => node), run), said, trouble, which);

  /** @param {import('./compare.js').Own} own @param {boolean} idle @param {import('../store.js').State} state */
  return (own, idle, { words, strategies }) => {
    const { t, of, has } = words;
    const { pair } = own;
    setText(title, t('view.compare'));
    for (const [name, { label }] of Object.entries({ a, b, fault, action })) setText(label, t(`compare.${name}`));
    for (const { select } of [a, b]) fillStrategies(select, strategies, words);
    fillFaults(fault.select, pair.fault?.point ?? '', words);
    list(action.select, actions, (id) => id, (id) => h('option', { value: id }), (option, id) => setText(option, t(`action.${id}`)));
    Object.assign(a.select, { value: pair.a });
    Object.assign(b.select, { value: pair.b });
    Object.assign(fault.select, { value: pair.fault?.point ?? '' });
    Object.assign(action.select, { value: pair.fault?.action || actions[0] });
    action.node.classList.toggle('off', !pair.fault || troubles.includes(pair.fault.point));
    setText(run, t(own.phase === 'running' ? 'compare.busy' : 'compare.run'));
    attr(run, 'aria-disabled', idle ? null : 'true');
    setText(said, own.phase === 'ready' ? '' : t(`compare.${own.phase}`));
    const detail = has(own.trouble) ? t(own.trouble) : own.trouble;
    setText(trouble, detail ? t('compare.refused', { detail }) : '');
    attr(which, 'aria-label', t('compare.which'));
    setText(left, of(strategyOf(strategies, pair.a).title));
    setText(right, of(strategyOf(strategies, pair.b).title));
    attr(left, 'aria-pressed', own.side === 'a' ? 'true' : 'false');
    attr(right, 'aria-pressed', own.side === 'b' ? 'true' : 'false');
  };
}

/** @param {HTMLSelectElement} select @param {import('../types.js').Strategy[]} strategies @param {import('../lib/i18n.js').Words} words */
function fillStrategies(select, strategies, { t, of }) {
  const known = new Set(strategies.map(({ id }) => id));
  const groups = [{ name: 'ladder', ids: ladder }, ...grouped(strategies)];
  list(select, groups, ({ name }) => name, () => h('optgroup'), (group, { name, ids }) => {
    attr(group, 'label', name === 'ladder' ? t('compare.ladder') : t(`strategy.group.${name}`));
    list(group, ids.filter((id) => known.has(id)), (id) => id, (id) => h('option', { value: id }), (option, id) => setText(option, of(strategyOf(strategies, id).title)));
  });
}

/** A fault that only the address knows stays to be chosen. @param {HTMLSelectElement} select @param {string} named @param {import('../lib/i18n.js').Words} words */
function fillFaults(select, named, { t }) {
  const all = ['', ...points, ...troubles];
  const shown = all.includes(named) ? all : [...all, named];
  list(select, shown, (point) => point || 'none', (point) => h('option', { value: point }), (option, point) => setText(option, point ? t(`point.${point}`) : t('fault.nowhere')));
}
