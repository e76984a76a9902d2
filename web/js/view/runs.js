import { attr, find, h, list, place, setText } from '../lib/dom.js';
import { dateTime } from '../lib/format.js';
import { formatRoute } from '../model/route.js';
import { marks } from '../model/verdict.js';
import { strategyOf } from '../model/catalogue.js';
import { columnOf } from '../model/document.js';
import * as api from '../net/api.js';
import { faultPhrase } from './tell.js';

/** The runs that the lab keeps, also over a reset, and those in files. @param {import('../app.js').App} app */
export function runsMenu(app) {
  const open = h('button.plain.runs', { type: 'button', popovertarget: 'runs' });
  const items = h('ol');
  const silent = h('p.silent');
  const file = /** @type {HTMLInputElement} */ (h('input.vh', { type: 'file', accept: 'application/json,.json', id: 'run-file', onchange: () => {
    const [chosen] = file.files ?? [];
    if (chosen) void app.shelf.openFile(chosen).then(() => menu.hidePopover());
    file.value = '';
  } }));
  const label = h('label.second', { for: 'run-file' });
  const refusal = h('p.refusal');
  const menu = h('div.popover.run-list', { id: 'runs', popover: 'auto' }, h('h2'), items, silent, h('p.file', {}, file, label), refusal);
  /** @type {import('../types.js').RunDocument[]} */ let runs = [];
  menu.addEventListener('toggle', async () => {
    if (!menu.matches(':popover-open')) return;
    place(menu, open);
    runs = await api.runs().catch(() => runs);
    app.store.set({});
    place(menu, open);
  });
  items.addEventListener('click', () => menu.hidePopover());

  app.store.add(({ words, strategies, refusal: refused }) => {
    const { t, of, lang } = words;
    setText(open, t('runs'));
    setText(find('h2', menu), t('runs'));
    setText(label, t('runs.file'));
    setText(silent, t('runs.none'));
    silent.hidden = runs.length > 0;
    setText(refusal, refused?.place === 'file' ? t('runs.refused', { file: refused.problem.detail }) : '');
    list(items, runs.slice(0, 30), (run) => run.id, () => h('li', {}, h('a', {}, h('span.mark'), h('span.what'), h('span.when'))), (node, run) => {
      const link = node.children[0];
      attr(link, 'href', formatRoute({ view: 'run', id: run.id }));
      const verdict = run.verdict ?? run.verdicts?.[0]?.verdict ?? '';
      setText(link.children[0], `${marks[verdict] ?? '…'} ${t(`verdict.word.${verdict || 'pending'}`)}`);
      const faults = (run.faults ?? []).map((fault) => faultPhrase(words, fault)).join(', ');
      const { title, cells } = strategyOf(strategies, run.strategy);
      // What is done in the middle of a run, such as a flush, is no fault that was armed.
      const done = of(cells.find((cell) => cell.fault === columnOf(run))?.title);
      setText(link.children[1], `${of(title)} · ${faults || done || t('fault.none')}`);
      setText(link.children[2], dateTime(lang, run.at ?? ''));
    });
  });
  return [open, menu];
}
