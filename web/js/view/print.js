import { h, place, setText, find } from '../lib/dom.js';
import { languages } from '../lib/i18n.js';
import { letterOf, plan, stepsOf } from '../model/lesson.js';

/**
 * On paper: the run sheet of a plan, one page for the teacher, and the handout, where the class writes its guesses
 * before it sees a run. Both in either language, whatever the page speaks.
 *
 * @typedef {import('../lib/i18n.js').Words} Words
 * @typedef {import('../model/lesson.js').Scenario} Scenario
 * @param {import('../app.js').App} app @param {import('../classroom.js').Classroom} room
 */
export function printMenu(app, room) {
  const open = h('button.plain', { type: 'button', popovertarget: 'print-menu' });
  const kinds = /** @type {const} */ (['sheet', 'handout']);
  const items = kinds.flatMap((kind) => languages.map((lang) => h('button.choice', {
    type: 'button', 'data-kind': kind, lang, onclick: async () => {
      const words = await app.library.words(lang);
      print(kind, stepsOf(room.lessons), words);
    },
  })));
  const menu = h('div.popover.print-menu', { id: 'print-menu', popover: 'auto' }, h('h2'), ...items);
  menu.addEventListener('toggle', () => { if (menu.matches(':popover-open')) place(menu, open); });
  menu.addEventListener('click', (e) => { if (e.target instanceof Element && e.target.closest('.choice')) menu.hidePopover(); });
  app.store.add(({ words: { t } }) => {
    setText(open, t('lessons.print'));
    open.hidden = room.lessons === null;
    setText(find('h2', menu), t('lessons.print'));
    for (const item of items) setText(item, `${t(`lessons.print.${item.dataset.kind}`)} · ${item.lang === 'en' ? 'English' : 'Türkçe'}`);
  });
  return [open, menu];
}

/** @param {'sheet'|'handout'} kind @param {Scenario[]} steps @param {Words} words */
function print(kind, steps, words) {
  const page = kind === 'sheet' ? runSheet(steps, words) : handout(steps, words);
  page.lang = words.lang;
  document.querySelector('.paper')?.remove();
  document.body.append(page);
  addEventListener('afterprint', () => page.remove(), { once: true });
  window.print();
}

/** @param {Scenario[]} steps @param {Words} words */
function runSheet(steps, { t, of }) {
  const heads = ['minute', 'step', 'question', 'answer', 'likely', 'say'];
  const rows = steps.map((s, i) => {
    const text = (/** @type {string} */ id) => of(s.choices.find((c) => c.id === id)?.text);
    return h('tr', {}, h('td.num', {}, `${s.plan[plan].minute}${s.plan[plan].short ? ' ★' : ''}`), h('td', {}, `${i + 1}. ${of(s.title)}`),
      h('td', {}, of(s.question)), h('td', {}, h('strong', {}, text(s.answer) || of(s.see))), h('td', {}, text(s.likely_wrong)), h('td', {}, of(s.say)));
  });
  return h('section.paper.sheet', {}, h('h1', {}, `Double Charge Lab · ${t('lessons.print.sheet')} · ${t('lessons.length', { n: Number(plan) })}`),
    h('table', {}, h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, t(`lessons.print.${head}`))))), h('tbody', {}, ...rows)),
    h('p', {}, `★ ${t('lessons.print.short')} ${t('lessons.print.keys')}`));
}

/** @param {Scenario[]} steps @param {Words} words */
function handout(steps, { t, of }) {
  const items = steps.map((s) => h('li', {}, h('h2', {}, of(s.title)), h('p', {}, of(s.question)),
    h('ul', {}, ...s.choices.map((choice, i) => h('li', {}, h('span.box'), `${letterOf(i)}  ${of(choice.text)}`))),
    h('p.line', {}, t('lessons.print.because')), h('p.line', {}, t('lessons.print.seen'))));
  return h('section.paper.handout', {}, h('h1', {}, `Double Charge Lab · ${t('lessons.print.handout')}`),
    h('p', {}, t('lessons.print.how')), h('ol', {}, ...items));
}
