import { attr, h, list, setText } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { count, dateTime } from '../lib/format.js';
import { told } from './explore.js';

/**
 * One strategy: that nothing breaks it within the bounds, or the shortest schedules that do.
 *
 * @typedef {import('../lib/i18n.js').Words} Words
 * @typedef {import('./explore.js').Own} Own
 * @typedef {import('../model/counterexample.js').Violation} Violation
 * @typedef {{strategy: import('../types.js').Strategy, found: import('../model/explore.js').Found|null, list: Violation[], index: number,
 *   example: Violation|null, key: string}} Seen
 * @param {HTMLElement} root
 * @param {{example: (index: number) => void, play: () => void, run: () => void}} on
 */
export function exploreCard(root, on) {
  const name = h('h3');
  const idea = h('p.idea');
  const verdict = h('p.found', {}, h('span.mark', { 'aria-hidden': 'true' }), h('strong'), h('span.num'), h('span.chosen'));
  const label = h('label', { for: 'explore-example' });
  const select = /** @type {HTMLSelectElement} */ (h('select', { id: 'explore-example', onchange: () => on.example(Number(select.value)) }));
  const choice = h('div.choose', {}, label, select);
  const steps = h('ol.steps');
  const rest = h('p.rest');
  const play = h('button.primary', { type: 'button', onclick: on.play }, icon('play'), h('span'));
  const run = h('button.second', { type: 'button', onclick: on.run });
    const trial = h('p.trial', { role: 'status' }, h('span.mark', { 'aria-hidden': 'true' }), h('span'), h('a.second'));
  const actions = h('div.actions', {}, play, run, trial);
  const bounds = h('div.bounds', {}, h('h4'), h('p.num'), h('ul'), h('p.num'));
  root.append(name, idea, verdict, choice, steps, rest, actions, bounds);

  /** @param {Seen} seen @param {Own} own @param {boolean} idle @param {Words} words */
  return (seen, own, idle, words) => {
    const { t, of, lang } = words;
    const { strategy, found, example } = seen;
    setText(name, of(strategy.title));
    setText(idea, of(strategy.summary));
    drawFound(verdict, seen, words);
    choice.hidden = seen.list.length < 2;
    root.classList.toggle('single', choice.hidden);
    setText(label, t('explore.choose'));
    list(select, seen.list, (v) => `${v.adversary} ${v.property}`, () => h('option'), (option, v, i) => {
      attr(option, 'value', i);
      setText(option, exampleName(v, words));
    });
    select.value = String(seen.index);
    for (const node of [steps, actions]) node.hidden = !example;
    list(steps, example?.counterexample ?? [], (line, i) => `${i} ${line.event}`, () => h('li'), (node, line) => {
      setText(node, sentence(of(line), lang));
      attr(node, 'data-trouble', /^w\d:(?!crash|charge=)/.test(line.event) ? null : 'true');
    });
    setText(rest, example ? t(`explore.property.${example.property}`) : '');
    setText(play.children[1], t('explore.play'));
    setText(run, t('explore.run'));
    attr(run, 'aria-disabled', idle ? null : 'true');
    drawTrial(trial, seen, own, words);
    bounds.hidden = !found;
    drawBounds(bounds, own, words);
  };
}

/** A sentence of the server begins small and has no full stop: it stands in a list of steps. @param {string} text @param {string} lang */
const sentence = (text, lang) => `${text.charAt(0).toLocaleUpperCase(lang)}${text.slice(1)}.`;

/** @param {Violation} example @param {Words} words */
const exampleName = (example, { t }) => t('explore.example', {
  adversary: t(`explore.adversary.${example.adversary}`), property: t(`explore.breaks.${example.property}`), n: example.counterexample.length,
});

/** @param {HTMLElement} node @param {Seen} seen @param {Words} words */
function drawFound(node, { found, example }, words) {
  const { t, lang } = words;
  const tone = !found ? 'idle' : found.safe ? 'ok' : 'bad';
  attr(node, 'data-tone', tone);
  const [mark, what, more, chosen] = node.children;
  setText(mark, { idle: '·', ok: '✓', bad: '✕' }[tone]);
  setText(what, t(`explore.found.${tone}`));
  const numbers = { n: count(lang, found?.schedules ?? 0), m: count(lang, found?.states ?? 0) };
  setText(chosen, example ? exampleName(example, words) : '');
  setText(more, !found ? '' : t(example ? 'explore.numbers' : 'explore.numbers.safe', numbers));
}

/** @param {HTMLElement} node @param {Seen} seen @param {Own} own @param {Words} words */
function drawTrial(node, { key, example, strategy }, { trial }, { t, has, of }) {
  const mine = trial !== null && trial.key === key;
  node.hidden = !mine || !example;
  if (node.hidden || !trial || !example) return;
  const [mark, text, link] = node.children;
  const answer = told(trial, key, example.property);
  const title = (/** @type {string} */ fault) => of(strategy.cells.find((cell) => cell.fault === fault)?.title);
  const detail = has(trial.trouble) ? t(trial.trouble) : trial.trouble || answer?.failed?.error || '';
  const { job } = trial;
  attr(node, 'data-tone', answer ? (answer.same ? 'ok' : 'bad') : 'idle');
  setText(mark, answer ? (answer.same ? '=' : '≠') : '…');
  if (answer?.cell) setText(text, t('explore.same', { fault: title(answer.cell.fault), property: t(`explore.breaks.${example.property}`) }));
  else if (detail) setText(text, t('explore.trial.refused', { detail }));
  else if (answer || job?.state === 'stopped') setText(text, t(answer ? 'explore.differs' : 'explore.stopped'));
  else setText(text, t('explore.trial.progress', { done: job?.done ?? 0, total: job?.total ?? 0 }));
  setText(link, t('explore.open'));
  link.toggleAttribute('hidden', !answer?.cell?.run);
  attr(link, 'href', answer?.cell?.run ? `#/run/${answer.cell.run}` : null);
}

/** @param {HTMLElement} node @param {Own} own @param {Words} words */
function drawBounds(node, { search }, { t, of, lang }) {
  const [head, within, assumed, from] = node.children;
  if (!search?.bounds) return;
  setText(head, t('explore.bounds'));
  setText(within, t('explore.within', { ...search.bounds }));
  list(assumed, search.assumptions ?? [], (_, i) => String(i), () => h('li'), (item, text) => setText(item, sentence(of(text), lang)));
  setText(from, t('explore.origin', { at: dateTime(lang, search.at), commit: search.commit }));
}
