import { h, list, setText } from '../lib/dom.js';
import { total } from '../model/hands.js';
import { stepsOf } from '../model/lesson.js';
import { strategyOf } from '../model/catalogue.js';
import { stages } from '../views.js';
import { faultPhrase } from './tell.js';

/**
 * The line at the foot of the presented page: what is set up, where the lesson is, and the keys.
 * @param {import('../app.js').App} app @param {import('../classroom.js').Classroom} room
 */
export function mountKeyLine(app, room) {
  const what = h('span.what');
  const keys = h('ul');
  const root = h('footer.key-line', {}, what, keys);
  document.body.append(root);
  const shown = [['Space', 'next'], ['←', 'back'], ['?', 'help'], ['G', 'totals'], ['B', 'blank'], ['Esc', 'close']];

  app.store.add((state, scene) => {
    const { words, route } = state;
    root.hidden = !route.present || !words.has('presenter.line.next');
    if (root.hidden) return;
    setText(what, stages.has(route.view) ? setUp(state, scene) : lessonPlace(words, room));
    const fitting = shown.filter(([, action]) => action !== 'totals' || route.view === 'lessons');
    list(keys, fitting.map(([key, action]) => ({ key: key === 'B' && route.view === 'lessons' ? '.' : key, action })), ({ key, action }) => `${key}/${action}`,
      ({ key }) => h('li', {}, h('kbd', {}, key), h('span')), (item, { action }) => setText(item.children[1], words.t(`presenter.line.${action}`)));
  });
}

/** @param {import('../store.js').State} state @param {import('../store.js').Scene} scene */
function setUp({ words, strategies, run }, { setup }) {
  const faults = run?.record?.faults ?? (setup.fault ? [setup.fault] : []);
  return [words.of(strategyOf(strategies, setup.strategy).title) || setup.strategy, ...faults.map((fault) => faultPhrase(words, fault))].join(' · ');
}

/** @param {import('../lib/i18n.js').Words} words @param {import('../classroom.js').Classroom} room */
function lessonPlace({ t, of }, room) {
  const steps = stepsOf(room.lessons);
  const at = steps.findIndex((s) => s.name === room.course.scenario);
  if (at < 0) return '';
  const hands = total(room.course.hands[steps[at].name]);
  return t('presenter.place', { n: at + 1, m: steps.length, title: of(steps[at].title) }) + (hands > 0 ? ` · ${t('presenter.hands', { n: hands })}` : '');
}
