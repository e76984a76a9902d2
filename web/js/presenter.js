import { classroomOf } from './classroom.js';
import { addStyle, attr } from './lib/dom.js';
import { haltsOf } from './model/beats.js';
import { actionOf } from './model/keys.js';
import { Conductor } from './conductor.js';
import { stages } from './views.js';
import { mountCover } from './view/cover.js';
import { mountKeyLine } from './view/keyline.js';

/**
 * In front of a class: large type, one listener for all keys, and runs that stop by themselves at the crash. Whoever
 * needs it first calls it; a second call only opens the help, if that is what is asked for.
 *
 * @param {import('./app.js').App} app @param {{now?: () => number, help?: boolean}} [options]  now: the clock, in milliseconds; help: asked for by the key that loaded it
 */
export function mountPresenter(app, { now = Date.now, help = false } = {}) {
  const room = classroomOf(app, now);
  if (!room.help) mountOnce(app, room);
  if (help) room.help?.();
}

/** @param {import('./app.js').App} app @param {import('./classroom.js').Classroom} room */
function mountOnce(app, room) {
  void addStyle('css/presenter.css');
  void app.addWords('presenter');
  const cover = mountCover(app);
  room.help = () => { if (cover.open !== 'help') cover.toggle('help'); };
  mountKeyLine(app, room);
  const conductor = new Conductor(app, room, cover);

  room.channel.listen((message) => {
    if (message.type === 'hello') room.tell();
    if (message.type === 'do' && message.to === room.channel.id) conductor.order(message.order);
  });
  room.tell(); // After a reload this window has another name: the notes must hear it.
  addEventListener('keydown', (event) => {
    const action = actionOf(event, { on: app.state.route.present || cover.keys, focus: focusOf(event.target), choices: choicesOf(app, room), open: cover.open !== '' });
    if (!action) return;
    event.preventDefault();
    conductor.do(action);
  });
  app.store.add((state) => {
    attr(document.body, 'data-present', state.route.present);
    attr(document.body, 'data-stage', stages.has(state.route.view) ? (state.run ? 'run' : 'ready') : null);
    if (state.route.present && room.lessons === null) void room.learn();
  });
  holdAtCrash(app, room);
}

/** A run that is presented stops behind its crash, once; one that is watched in a lesson begins by itself. @param {import('./app.js').App} app @param {import('./classroom.js').Classroom} room */
function holdAtCrash(app, room) {
  let run = '';
  let before = 0;
  /** @type {Set<number>} */ let held = new Set();
  app.store.add((state) => {
    if (!state.route.present || !state.run) return;
    const id = state.run.record?.id || state.run.key;
    if (id !== run) {
      run = id;
      held = new Set();
      if (room.watching && state.head.at === 0 && room.scenario?.kind !== 'step') return app.player.replay();
    }
    const { at, playing, pace } = state.head;
    const arrived = at !== before; // Who goes on from a crash is not stopped there again.
    before = at;
    if (!arrived || !playing || pace === 'live' || held.has(at) || !haltsOf(app.store.rows).includes(at)) return undefined;
    held.add(at);
    return app.player.seek(at);
  });
}

/** @param {EventTarget|null} target @returns {'field'|'button'|'stage'|''} */
function focusOf(target) {
  if (!(target instanceof HTMLElement)) return '';
  if (target.isContentEditable || target.matches('textarea, select, input:not([type="checkbox"], [type="radio"], [type="button"])')) return 'field';
  if (target.matches('input')) return 'button';
  if (target.closest('button, a[href], summary, [role="button"]')) return 'button';
  return target === document.body || target.closest('#stage') ? 'stage' : '';
}

/** Letters are hands only while the question is on the screen. @param {import('./app.js').App} app @param {import('./classroom.js').Classroom} room */
function choicesOf(app, room) {
  const { route } = app.state;
  return route.view === 'lessons' && route.present && room.course.beat !== 'answer' ? room.scenario?.choices.length ?? 0 : 0;
}

