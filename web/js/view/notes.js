import { classroomOf } from '../classroom.js';
import { addStyle, attr, find, h, list, setText } from '../lib/dom.js';
import { courseOf, played } from '../model/course.js';
import { bars, total } from '../model/hands.js';
import { letterOf, minutesFor, named, neighbour, plan, runs, stepsOf } from '../model/lesson.js';
import { minutesAndSeconds, read } from '../model/timer.js';

/**
 * The teacher's window: what this step is about, what is expected, what to say to the likely wrong answer, how late
 * it is, and what comes next. It follows the window with the stage, and drives it.
 *
 * @typedef {import('../model/course.js').Course} Course
 * @typedef {import('../lib/i18n.js').Words} Words
 * @param {HTMLElement} root @param {import('../app.js').App} app
 */
export function mount(root, app) {
  void addStyle('css/notes.css');
  const room = classroomOf(app);
  const { channel } = room;
  /** @type {Course|null} */ let course = null;
  let stage = '';
  const silent = h('p.lead');
  const orders = /** @type {const} */ (['back', 'next', 'reveal', 'restart']);
  const buttons = orders.map((order) => h(order === 'next' ? 'button.primary' : 'button.second', { type: 'button', 'data-order': order, onclick: () => channel.order(stage, order) }));
  const times = h('dl.times', {}, ...['step', 'total', 'late'].map((name) => h('div', { 'data-name': name }, h('dt'), h('dd.num'))));
  const sheet = h('div.sheet-of-notes', {}, h('p.over'), h('h2'), times, h('div.orders', {}, ...buttons),
    ...['question', 'answer', 'likely', 'see', 'why'].flatMap((name) => [h('h3', { 'data-part': name }), h('p', { 'data-text': name })]),
    h('h3', { 'data-part': 'hands' }), h('ul.said'), h('h3', { 'data-part': 'upcoming' }), h('p', { 'data-text': 'upcoming' }));
  root.append(silent, sheet);
  void room.learn();

  channel.listen((message) => {
    if (message.type !== 'where') return;
    stage = message.from;
    course = courseOf(message.lesson);
    if (message.lesson.beat === 'run') course.beat = 'run';
    app.store.set({});
  });
  channel.hello();
  setInterval(() => { if (course && app.state.route.view === 'notes') tick(times, room, course, app.state.words); }, 1000);

  app.store.add(({ words, route }) => {
    if (route.view !== 'notes') return;
    const scenario = named(room.lessons, course?.scenario ?? '');
    setText(silent, words.t(room.lessons || !room.trouble ? 'notes.waiting' : 'notes.silent'));
    silent.hidden = scenario !== null;
    sheet.hidden = scenario === null;
    for (const button of buttons) setText(button, words.t(`notes.${button.dataset.order}`));
    if (!scenario || !course) return;
    setText(find('[data-order="reveal"]', sheet), words.t(course.totals ? 'notes.hide' : 'notes.reveal'));
    write(sheet, room, course, scenario, words);
    tick(times, room, course, words);
  });
  return { show: () => channel.hello() };
}

/** @param {HTMLElement} sheet @param {import('../classroom.js').Classroom} room @param {Course} course @param {import('../model/lesson.js').Scenario} scenario @param {Words} words */
function write(sheet, room, course, scenario, { t, of }) {
  const steps = stepsOf(room.lessons);
  const text = (/** @type {string} */ id) => of(scenario.choices.find((c) => c.id === id)?.text);
  const upcoming = neighbour(room.lessons, scenario.name, 1);
  const place = scenario.plan[plan];
  setText(find('.over', sheet), [place ? t('notes.place', { n: steps.indexOf(scenario) + 1, m: steps.length, minute: place.minute }) : '', t(`notes.beat.${course.beat}`)].filter(Boolean).join(' · '));
  setText(find('h2', sheet), of(scenario.title));
  for (const head of sheet.querySelectorAll('h3')) setText(head, t(`notes.part.${head.dataset.part}`));
  const report = course.reports[scenario.name];
  const differs = runs(scenario) && played(course, scenario.name) && !report.ok;
  /** @type {Record<string, string>} */
  const texts = {
    question: of(scenario.question), answer: [text(scenario.answer), differs ? t('notes.differs') : ''].filter(Boolean).join(' · '),
    likely: scenario.likely_wrong ? `${text(scenario.likely_wrong)} → ${of(scenario.say)}` : of(scenario.say),
    see: of(scenario.see), why: of(scenario.why), upcoming: upcoming ? of(upcoming.question) : t('notes.last'),
  };
  for (const [name, value] of Object.entries(texts)) {
    setText(find(`[data-text="${name}"]`, sheet), value);
    find(`[data-text="${name}"]`, sheet).hidden = value === '';
    find(`[data-part="${name}"]`, sheet).hidden = value === '';
  }
  const tally = course.hands[scenario.name];
  const raised = total(tally) > 0 ? bars(tally, scenario.choices.map((c) => c.id)) : [];
  find('[data-part="hands"]', sheet).hidden = raised.length === 0;
  list(find('.said', sheet), raised, (bar) => bar.id, () => h('li.num'), (item, bar, i) => setText(item, `${letterOf(i)} · ${text(bar.id)}: ${bar.n}`));
}

/** @param {HTMLElement} times @param {import('../classroom.js').Classroom} room @param {Course} course @param {Words} words */
function tick(times, room, course, { t }) {
  const { lessons } = room;
  const scenario = named(lessons, course.scenario);
  if (!lessons || !scenario) return;
  const minutes = minutesFor(lessons, scenario.name);
  const reading = read(course.timer, room.now(), { minute: scenario.plan[plan]?.minute ?? 0, minutes });
  const late = reading.late;
  const values = {
    step: t('notes.step', { time: minutesAndSeconds(reading.step), n: minutes }),
    total: t('notes.total', { time: minutesAndSeconds(reading.total), n: Number(plan) }),
    late: !course.timer.began ? t('notes.not.begun') : late > 0 ? t('notes.late', { time: minutesAndSeconds(late) }) : late < 0 ? t('notes.early', { time: minutesAndSeconds(-late) }) : t('notes.on.time'),
  };
  for (const [name, value] of Object.entries(values)) {
    const line = find(`[data-name="${name}"]`, times);
    setText(find('dt', line), t(`notes.time.${name}`));
    setText(find('dd', line), value);
    attr(line, 'data-late', name === 'late' && late > 0 ? 'true' : null);
  }
}
