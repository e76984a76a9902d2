import { attr, find, h, list, setText } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { judge, neighbour, plan, runs, stepsOf } from '../model/lesson.js';
import { played } from '../model/course.js';
import { formatRoute } from '../model/route.js';
import { fillOutcome, outcome } from './outcome.js';

/**
 * One scenario to read and run: goal, question, guess, run, then what was measured, what to see and why. Nothing of
 * the answer is in the page before the run is over.
 *
 * @typedef {import('../classroom.js').Classroom} Classroom
 * @typedef {import('../model/lesson.js').Scenario} Scenario
 * @param {import('../app.js').App} app @param {Classroom} room @returns {HTMLElement}
 */
export function article(app, room) {
  const choices = h('fieldset.card.ask', {}, h('legend'), h('div'));
  const run = h('button.primary', { type: 'button', onclick: () => void begin(room) }, h('span'));
  const recording = h('button.second', { type: 'button', hidden: true, onclick: () => void room.recording() });
  const trouble = h('p.refusal.quiet', { role: 'status' });
  const told = h('div.told-after');
  const before = h('a.second');
  const after = h('a.second', {}, h('span'), icon('arrow'));
  const root = h('article.scenario', {}, h('p.over'), h('h2'), h('p.goal'), choices,
    h('div.do', {}, run, recording), trouble, told, h('p.walk', {}, before, after));

  app.store.add(({ words, route, health }) => {
    const { scenario } = room;
    root.hidden = scenario === null;
    if (!scenario || route.view !== 'lessons') return;
    const { t, of } = words;
    setText(find('.over', root), placeOf(words, room, scenario));
    setText(find('h2', root), of(scenario.title));
    setText(find('.goal', root), of(scenario.goal));
    drawChoices(choices, room, scenario, words);
    const { playing } = room;
    setText(find('span', run), t(playing.busy ? 'lessons.running' : !runs(scenario) ? 'lessons.reveal' : played(room.course, scenario.name) ? 'lessons.rerun' : 'lessons.run'));
    run.hidden = !runs(scenario) && room.course.beat === 'answer';
    attr(run, 'aria-disabled', playing.busy || (runs(scenario) && health.phase !== 'ready') ? 'true' : null);
    recording.hidden = !playing.offered && !(runs(scenario) && health.phase !== 'ready' && health.phase !== 'loading');
    setText(recording, t('lessons.recording'));
    setText(trouble, troubleOf(words, playing));
    drawAnswer(told, room, scenario, words);
    drawWalk(before, room, words, -1);
    drawWalk(after, room, words, 1);
  });
  return root;
}

/** @param {Classroom} room */
function begin(room) {
  if (room.playing.busy) return undefined;
  if (room.scenario && runs(room.scenario)) return room.run();
  return void room.next();
}

/** @param {import('../lib/i18n.js').Words} words @param {import('../playing.js').Playing} playing */
export function troubleOf({ t }, { trouble, offered, busy }) {
  if (trouble === 'none') return t('lessons.recording.none');
  if (trouble) return trouble === 'silent' ? t('lessons.trouble.silent') : t('lessons.trouble', { detail: trouble });
  return offered && busy ? t('lessons.waiting') : '';
}

/** @param {import('../lib/i18n.js').Words} words @param {Classroom} room @param {Scenario} scenario */
function placeOf({ t }, room, scenario) {
  const steps = stepsOf(room.lessons);
  const at = steps.indexOf(scenario);
  if (at < 0) return t('lessons.extra');
  const place = { n: at + 1, m: steps.length, minute: scenario.plan[plan].minute };
  return t(scenario.plan[plan].short ? 'lessons.place.short' : 'lessons.place', place);
}

/** @param {HTMLElement} root @param {Classroom} room @param {Scenario} scenario @param {import('../lib/i18n.js').Words} words */
function drawChoices(root, room, scenario, { of }) {
  setText(find('legend', root), of(scenario.question));
  list(find('div', root), scenario.choices, (choice) => `${scenario.name}/${choice.id}`, (choice) => h('label', {},
    h('input', { type: 'radio', name: 'lesson-choice', value: choice.id, onchange: () => room.choose(choice.id) }), h('span')), (label, choice) => {
    const input = /** @type {HTMLInputElement} */ (label.children[0]);
    input.checked = room.course.mine[scenario.name] === choice.id;
    setText(label.children[1], of(choice.text));
  });
}

/** @param {HTMLElement} root @param {Classroom} room @param {Scenario} scenario @param {import('../lib/i18n.js').Words} words */
function drawAnswer(root, room, scenario, words) {
  const { t, of } = words;
  const report = room.course.reports[scenario.name];
  const over = runs(scenario) ? played(room.course, scenario.name) : room.course.beat === 'answer';
  if (!over) {
    root.replaceChildren();
    return;
  }
  if (root.dataset.of !== scenario.name || root.childElementCount === 0) {
    root.dataset.of = scenario.name;
    root.replaceChildren(h('p.recorded'), h('p.mine'), h('p.say'), h('div.outcome-box', { tabindex: '0', role: 'region' }, outcome()), h('ul.links'),
      ...['see', 'why', 'source'].flatMap((name) => [h('h3', { 'data-part': name }), h(`p.${name}`)]));
  }
  const recorded = room.course.recorded[scenario.name] === true;
  setText(find('.recorded', root), recorded ? t('lessons.recorded') : '');
  drawMine(root, room, scenario, words);
  const box = find('.outcome-box', root);
  box.hidden = !report || report.checks.length === 0;
  attr(box, 'aria-label', t('lessons.outcome'));
  if (report) fillOutcome(find('table', root), words, scenario, report.checks);
  drawLinks(find('.links', root), scenario, report?.runs ?? [], words);
  for (const head of root.querySelectorAll('h3')) setText(head, t(`lessons.${head.dataset.part}`));
  setText(find('.see', root), of(scenario.see));
  setText(find('.why', root), of(scenario.why));
  setText(find('.source', root), scenario.source);
}

/** @param {HTMLElement} root @param {Classroom} room @param {Scenario} scenario @param {import('../lib/i18n.js').Words} words */
function drawMine(root, room, scenario, { t, of }) {
  const mine = room.course.mine[scenario.name] ?? '';
  const judged = judge(scenario, mine);
  const text = (/** @type {string} */ id) => of(scenario.choices.find((c) => c.id === id)?.text);
  const line = find('.mine', root);
  attr(line, 'data-judged', judged);
  setText(line, !scenario.answer ? '' : judged === 'right' ? `✓ ${t('lessons.right', { answer: text(mine) })}`
    : judged ? `✕ ${t('lessons.wrong', { answer: text(mine), right: text(scenario.answer) })}` : t('lessons.answer', { answer: text(scenario.answer) }));
  setText(find('.say', root), judged === 'likely' ? of(scenario.say) : '');
}

/** @param {HTMLElement} root @param {Scenario} scenario @param {string[]} ids @param {import('../lib/i18n.js').Words} words */
function drawLinks(root, scenario, ids, { t, of }) {
  const links = scenario.cells
    ? [scenario.kind === 'matrix' ? { href: formatRoute({ view: 'matrix' }), text: t('lessons.open.matrix') }
      : { href: formatRoute({ view: 'lab', strategy: scenario.cells.strategy }), text: t('lessons.open.strategy') }]
    : ids.map((id, i) => ({
      href: formatRoute({ view: 'run', id }), text: ids.length > 1 ? t('lessons.open.of', { what: of(scenario.runs[i]?.label) }) : t('lessons.open'),
    }));
  list(root, links, (link) => link.href, () => h('li', {}, h('a.second')), (item, link) => {
    attr(item.children[0], 'href', link.href);
    setText(item.children[0], link.text);
  });
}

/** @param {HTMLElement} link @param {Classroom} room @param {import('../lib/i18n.js').Words} words @param {1|-1} by */
function drawWalk(link, room, { t, of }, by) {
  const there = neighbour(room.lessons, room.course.scenario, by);
  link.hidden = there === null;
  if (!there) return;
  attr(link, 'href', formatRoute({ view: 'lessons', chapter: there.chapter, scenario: there.name }));
  setText(by > 0 ? find('span', link) : link, t(by > 0 ? 'lessons.after' : 'lessons.before', { title: of(there.title) }));
}
