import { attr, find, h, list, setText } from '../lib/dom.js';
import { played } from '../model/course.js';
import { bars } from '../model/hands.js';
import { letterOf, runs } from '../model/lesson.js';
import { troubleOf } from './article.js';
import { fillCells } from './outcome.js';

/**
 * The question in front of a class: the question, the choices with their letters, nothing else. A press on a choice
 * counts a hand. The totals come with G, the answer after the run.
 *
 * @typedef {import('../classroom.js').Classroom} Classroom
 * @param {import('../app.js').App} app @param {Classroom} room @returns {HTMLElement}
 */
export function slide(app, room) {
  const choices = h('ol.options');
  choices.addEventListener('click', (event) => hand(room, event));
  const recording = h('button.second', { type: 'button', hidden: true, onclick: () => void room.recording() });
  const told = h('div.told-after', { hidden: true }, h('p.recorded'), h('p.see'), h('p.why'));
  const root = h('section.slide', {}, h('h2'), choices, h('p.state', { role: 'status' }), recording, told, h('ul.cells', { hidden: true }));

  app.store.add(({ words, route }) => {
    const { scenario, course, playing } = room;
    if (!scenario || route.view !== 'lessons' || !route.present) return;
    const { t, of } = words;
    const over = course.beat === 'answer' && (played(course, scenario.name) || !runs(scenario));
    attr(root, 'data-beat', course.beat);
    setText(find('h2', root), of(scenario.question));
    drawChoices(choices, room, scenario, words, over);
    setText(find('.state', root), playing.busy ? playing.offered ? t('lessons.waiting') : t('lessons.running') : troubleOf(words, playing));
    recording.hidden = !playing.offered;
    setText(recording, t('lessons.recording'));
    told.hidden = !over;
    setText(find('.recorded', told), over && course.recorded[scenario.name] ? t('lessons.recorded') : '');
    setText(find('.see', told), over ? of(scenario.see) : '');
    setText(find('.why', told), over ? of(scenario.why) : '');
    const report = over && scenario.cells ? course.reports[scenario.name] : null;
    find('.cells', root).hidden = !report;
    if (report) fillCells(find('.cells', root), words, report.checks);
  });
  return root;
}

/** @param {HTMLElement} root @param {Classroom} room @param {import('../model/lesson.js').Scenario} scenario @param {import('../lib/i18n.js').Words} words @param {boolean} over */
function drawChoices(root, room, scenario, { t, of }, over) {
  const { hands } = room.course;
  const totals = room.course.totals && !(over && scenario.cells);
  const tally = bars(hands[scenario.name], scenario.choices.map((c) => c.id));
  list(root, scenario.choices, (choice) => `${scenario.name}/${choice.id}`, (choice, i) => h('li', {},
    h('button.option', { type: 'button', 'data-choice': choice.id }, h('kbd', {}, letterOf(i)), h('span.text'), h('span.mark')),
    h('button.square.fewer', { type: 'button', 'data-choice': choice.id, 'data-by': '-1' }, '−'),
    h('div.hand-bar', { 'aria-hidden': 'true' }, h('span')), h('p.count.num')), (item, choice, i) => {
    const text = of(choice.text);
    const right = over && choice.id === scenario.answer;
    setText(find('.text', item), text);
    setText(find('.mark', item), right ? `✓ ${t('lessons.slide.right')}` : '');
    attr(item, 'data-right', right ? 'true' : null);
    attr(find('.fewer', item), 'aria-label', t('lessons.hands.fewer', { choice: text }));
    find('.hand-bar', item).hidden = !totals;
    find('.hand-bar span', item).style.inlineSize = `${Math.round(tally[i].share * 100)}%`;
    setText(find('.count', item), totals ? t('lessons.said', { n: tally[i].n, choice: text }) : '');
  });
}

/** @param {Classroom} room @param {MouseEvent} event */
function hand(room, event) {
  const button = event.target instanceof Element ? event.target.closest('[data-choice]') : null;
  if (button instanceof HTMLElement) room.raise(String(button.dataset.choice), Number(button.dataset.by ?? 1));
}
