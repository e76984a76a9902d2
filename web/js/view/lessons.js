import { classroomOf } from '../classroom.js';
import { addStyle, attr, find, h, list, setText } from '../lib/dom.js';
import { chaptersOf, named, plan, stepsOf } from '../model/lesson.js';
import { formatRoute } from '../model/route.js';
import { article } from './article.js';
import { printMenu } from './print.js';
import { slide } from './slide.js';

/**
 * The lessons: chapters and plan on the left, one scenario on the right. In presenter mode only its slide.
 *
 * @param {HTMLElement} root @param {import('../app.js').App} app
 */
export function mount(root, app) {
  void addStyle('css/lessons.css');
  void addStyle('css/slide.css');
  void addStyle('css/print.css');
  const room = classroomOf(app);
  const title = h('h2.view-title');
  const notes = h('a.plain', { href: '#/notes', target: '_blank' });
  const keys = h('button.plain', { type: 'button', onclick: () => room.help() });
  const silent = h('p.lessons-silent');
  const again = h('button.second', { type: 'button', onclick: () => void room.learn() });
  const chapters = h('nav.chapters');
  root.append(h('div.lessons-head', {}, title, notes, keys, ...printMenu(app, room)), silent, again, h('div.lesson', {}, chapters, article(app, room)), slide(app, room));
  void room.learn();

  app.store.add(({ words, route }) => {
    if (route.view !== 'lessons') return;
    const { t } = words;
    setText(title, t('view.lessons'));
    setText(notes, t('lessons.notes'));
    setText(keys, t('lessons.keys'));
    setText(again, t('lessons.again'));
    attr(chapters, 'aria-label', t('lessons.plan'));
    const { lessons, trouble } = room;
    setText(silent, lessons ? '' : trouble === 'none' ? t('lessons.none') : trouble ? t('lessons.silent') : t('lessons.loading'));
    silent.hidden = lessons !== null;
    again.hidden = lessons !== null || trouble === '';
    find('.lesson', root).hidden = lessons === null || route.present;
    find('.slide', root).hidden = lessons === null || !route.present;
    find('.lessons-head', root).hidden = route.present;
    if (!lessons) return;
    const here = named(lessons, route.scenario) ?? room.scenario ?? stepsOf(lessons)[0];
    if (here) room.open(here.name);
    drawChapters(chapters, room, words);
  });
  return {};
}

/** @param {HTMLElement} nav @param {import('../classroom.js').Classroom} room @param {import('../lib/i18n.js').Words} words */
function drawChapters(nav, room, words) {
  const { t, of } = words;
  list(nav, chaptersOf(room.lessons), (chapter) => chapter.id, () => h('section', {}, h('h3'), h('ol')), (section, chapter) => {
    setText(find('h3', section), of(chapter.title));
    list(find('ol', section), chapter.scenarios, (s) => s.name, () => h('li', {}, h('a', {}, h('span.minute.num'), h('span.name'), h('span.tick'))), (item, scenario) => {
      const link = find('a', item);
      const place = scenario.plan[plan];
      attr(link, 'href', formatRoute({ view: 'lessons', chapter: chapter.id, scenario: scenario.name }));
      attr(link, 'aria-current', scenario.name === room.course.scenario ? 'page' : null);
      setText(find('.minute', link), place ? t('lessons.minute', { n: place.minute }) : '');
      setText(find('.name', link), of(scenario.title));
      setText(find('.tick', link), tickOf(words, room, scenario));
    });
  });
}

/** The recorded answer of the class. @param {import('../lib/i18n.js').Words} words @param {import('../classroom.js').Classroom} room @param {import('../model/lesson.js').Scenario} scenario */
function tickOf({ t, of }, room, scenario) {
  const done = room.done[scenario.name];
  if (!done) return '';
  const choice = scenario.choices.find((c) => c.id === done.answer);
  if (!choice) return `✓ ${t('lessons.done')}`;
  const answer = of(choice.text);
  return `✓ ${done.total > 0 ? t('lessons.done.class', { n: done.n, total: done.total, answer }) : t('lessons.done.mine', { answer })}`;
}
