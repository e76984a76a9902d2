import { attr, find, h, list, setText } from '../lib/dom.js';
import { count } from '../lib/format.js';

/**
 * What was expected against what was measured: one line for each check, told in words. Of cells of the matrix the
 * line is the fault, and the values are what the letters of the matrix mean.
 *
 * @typedef {import('../model/lesson.js').Check} Check
 * @typedef {import('../model/lesson.js').Scenario} Scenario
 * @typedef {import('../lib/i18n.js').Words} Words
 */

/** @returns {HTMLElement} */
export const outcome = () => h('table.outcome', {},
  h('thead', {}, h('tr', {}, ...['what', 'expected', 'measured', 'same'].map((c) => h('th', { scope: 'col', 'data-col': c })))), h('tbody'));

/** @param {HTMLElement} table @param {Words} words @param {Scenario} scenario @param {Check[]} checks */
export function fillOutcome(table, words, scenario, checks) {
  const { t } = words;
  for (const th of table.querySelectorAll('th')) setText(th, t(`lessons.col.${th.dataset.col}`));
  const several = scenario.runs.length > 1;
  const cells = Boolean(scenario.cells);
  list(find('tbody', table), checks, (check, i) => `${i}/${check.name}`, () => h('tr', {}, h('th', { scope: 'row' }), h('td.num'), h('td.num'), h('td')), (row, check) => {
    const label = several ? `${words.of(scenario.runs[check.run]?.label)} · ` : '';
    const texts = [label + nameOf(words, check.name), valueOf(words, check, check.expected, cells), valueOf(words, check, check.got, cells),
      `${check.ok ? '✓' : '✕'} ${t(check.ok ? 'lessons.same' : 'lessons.differs')}`];
    texts.forEach((text, i) => setText(row.children[i], text));
    attr(row, 'data-ok', String(check.ok));
  });
}

/** The cells as a short list, for a slide: what broke, and what came of it. @param {HTMLElement} root @param {Words} words @param {Check[]} checks */
export function fillCells(root, words, checks) {
  list(root, checks, (check) => check.name, () => h('li', {}, h('strong'), h('span')), (item, check) => {
    setText(item.children[0], `${check.got === 'ok' ? '✓' : '✕'} ${valueOf(words, check, check.got, true)}`);
    setText(item.children[1], nameOf(words, check.name).replace(/^.* · /, '') + (check.ok ? '' : ` · ${words.t('lessons.differs')}`));
    attr(item, 'data-ok', String(check.ok));
  });
}

/** @param {Words} words @param {string} name */
function nameOf({ t, has }, name) {
  if (has(`lessons.check.${name}`)) return t(`lessons.check.${name}`);
  const [action, point = ''] = name.split(':');
  if (has(`point.${point}`) && has(`action.${action}`)) return `${t(`action.${action}`)} · ${t(`point.${point}`)}`;
  return has(`point.${name}`) ? t(`point.${name}`) : name;
}

/** @param {Words} words @param {Check} check @param {string|number} value @param {boolean} cells */
function valueOf({ t, has, lang }, check, value, cells) {
  if (cells && has(`lessons.mark.${value}`)) return t(`lessons.mark.${value}`);
  if (typeof value === 'number') return count(lang, value);
  const prefix = { verdict: 'verdict.word', status: 'status', ledger: 'lessons.ledger' }[check.name];
  return value.split(', ').map((word) => (prefix && has(`${prefix}.${word}`) ? t(`${prefix}.${word}`) : word)).join(', ') || '–';
}
