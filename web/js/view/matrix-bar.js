import { attr, h, list, setText } from '../lib/dom.js';
import { dateTime } from '../lib/format.js';
import { origin } from '../model/matrix.js';

/** @typedef {import('../model/matrix-sheet.js').Own} Own */

/** The shapes that a result can have, in the order of how bad it is. */
const shapes = [['ok', '✓'], ['warn', '!'], ['lost', '∅'], ['bad', '✕']];

/**
 * Over the matrix: how it is shown, what to run, how far that is, and where the results come from.
 *
 * @param {HTMLElement} root
 * @param {{mode: (mode: Own['mode']) => void, all: () => void, cell: () => void}} on
 */
export function matrixBar(root, on) {
  const title = h('h2');
  /** @param {Own['mode']} mode */
  const choice = (mode) => h('button', { type: 'button', onclick: () => on.mode(mode) });
  const results = choice('results');
  const guess = choice('guess');
  const modes = h('div.segments', { role: 'group' }, results, guess);
  const all = h('button.second', { type: 'button', onclick: on.all });
  const cell = h('button.second.chosen', { type: 'button', onclick: on.cell });
  const bar = h('progress');
  const far = h('span.num');
  const progress = h('div.progress', {}, bar, far);
  const trouble = h('p.refusal', { role: 'alert' });
  const said = h('p.vh', { role: 'status' });
  const from = h('p.from');
  const legend = h('ul.legend');
  root.append(h('div.tools', {}, title, modes, all, cell, progress), trouble, said, h('div.notes', {}, from, legend));

  /** @param {Own} own @param {boolean} idle @param {boolean} known  whether a result can be seen @param {import('../lib/i18n.js').Words} words */
  return (own, idle, known, { t, has, lang }) => {
    const running = own.job?.state === 'running';
    setText(title, t('view.matrix'));
    attr(modes, 'aria-label', t('matrix.mode'));
    setText(results, t('matrix.mode.results'));
    setText(guess, t('matrix.mode.guess'));
    attr(results, 'aria-pressed', own.mode === 'results' ? 'true' : 'false');
    attr(guess, 'aria-pressed', own.mode === 'guess' ? 'true' : 'false');
    setText(all, t('matrix.run.all'));
    setText(cell, t('matrix.run.cell'));
    attr(all, 'aria-disabled', idle ? null : 'true');
    attr(cell, 'aria-disabled', idle && own.chosen.fault ? null : 'true');
    progress.hidden = !running;
    if (own.job && running) {
      attr(bar, 'max', Math.max(1, own.job.total));
      attr(bar, 'value', own.job.done);
      attr(bar, 'aria-label', t('matrix.running'));
      setText(far, t('matrix.progress', { done: own.job.done, total: own.job.total }));
    }
    const detail = has(own.trouble) ? t(own.trouble) : own.trouble;
    setText(trouble, detail ? t('matrix.refused', { detail }) : own.job?.state === 'stopped' ? t('matrix.stopped') : '');
    setText(said, running ? t('matrix.running') : own.job?.state === 'finished' ? t('matrix.finished', { total: own.job.total }) : '');
    setText(from, known ? originText(own, lang, t) : t(own.mode === 'guess' ? 'matrix.lead.guess' : 'matrix.lead'));
    list(legend, known ? shapes : [], ([name]) => name, ([name, mark]) => h('li', {}, h('span', { 'data-tone': name, 'aria-hidden': 'true' }, mark), h('span')), (node, [name]) => {
      setText(node.children[1], t(`matrix.legend.${name}`));
    });
  };
}

/** @param {Own} own @param {string} lang @param {import('../lib/i18n.js').Words['t']} t */
function originText(own, lang, t) {
  const told = origin(own.results);
  if (!told) return '';
  const commit = told.commits.join(', ') || '?';
  const [from, to] = [dateTime(lang, told.from), dateTime(lang, told.to)];
  if (from === to) return t('matrix.origin', { at: to, commit });
  const sameDay = from.slice(0, -5) === to.slice(0, -5);
  return t('matrix.origin.span', { from, to: sameDay ? to.slice(-5) : to, commit });
}
