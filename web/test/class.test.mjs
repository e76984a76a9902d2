import assert from 'node:assert/strict';
import { test } from 'node:test';
import { following, haltsOf, previous, stageBack, stageNext } from '../js/model/beats.js';
import { bars, favourite, handsOf, most, raise, total } from '../js/model/hands.js';
import { actionOf, help } from '../js/model/keys.js';
import { chaptersOf, judge, lessonsOf, minutesFor, named, neighbour, stepsOf } from '../js/model/lesson.js';
import { enter, minutesAndSeconds, read as readTimer, stopped } from '../js/model/timer.js';
import { read } from './helpers.mjs';

const lessons = /** @type {import('../js/model/lesson.js').Lessons} */ (lessonsOf(JSON.parse(await read('test/scenarios.json'))));

/** @param {string|object} key @param {object} [context] */
const press = (key, context = {}) => actionOf(typeof key === 'string' ? { key } : /** @type {any} */ (key), { on: true, focus: '', choices: 0, ...context });

test('a clicker and a keyboard mean the same', () => {
  for (const key of ['PageDown', 'ArrowRight', ' ']) assert.equal(press(key), 'next', key);
  for (const key of ['PageUp', 'ArrowLeft']) assert.equal(press(key), 'back', key);
  for (const key of ['.', 'b', 'B']) assert.equal(press(key), 'blank', key);
  assert.equal(press('F5'), '', 'F5 belongs to the browser');
  assert.equal(press('Tab'), '');
  assert.equal(press('constructor'), '', 'only the own names of the table');
});

test('every letter of the specification does what it says', () => {
  const letters = { c: 'crash', r: 'reset', k: 'code', t: 'table', w: 'window', g: 'totals', f: 'full', '?': 'help', Escape: 'close', '+': 'more', '-': 'fewer' };
  for (const [key, action] of Object.entries(letters)) assert.equal(press(key), action, key);
  for (let n = 1; n <= 9; n += 1) assert.equal(press(String(n)), `step:${n}`);
  const told = new Set(help.map((line) => line.action));
  for (const action of ['next', 'back', 'run', ...Object.values(letters)]) assert.ok(told.has(action) || action === 'fewer', `${action} is in the help`);
});

test('keys are off outside presenter mode, in a field and beside Ctrl, Alt and Meta', () => {
  assert.equal(press('PageDown', { on: false }), '');
  assert.equal(press('r', { focus: 'field' }), '');
  for (const held of ['ctrlKey', 'altKey', 'metaKey', 'defaultPrevented']) assert.equal(press({ key: 'r', [held]: true }), '', held);
});

test('a focused button keeps Space and Enter; Enter runs only from the stage', () => {
  assert.equal(press(' ', { focus: 'button' }), '');
  assert.equal(press('Enter', { focus: 'button' }), '');
  assert.equal(press('PageDown', { focus: 'button' }), 'next');
  assert.equal(press('Enter', { focus: 'stage' }), 'run');
  assert.equal(press('Enter'), '');
});

test('on a question letters are hands, and letters behind the last choice keep their meaning', () => {
  assert.equal(press('a', { choices: 2 }), 'choose:0');
  assert.equal(press('B', { choices: 2 }), 'choose:1');
  assert.equal(press({ key: 'B', shiftKey: true }, { choices: 2 }), 'drop:1');
  assert.equal(press('c', { choices: 2 }), 'crash');
  assert.equal(press('.', { choices: 2 }), 'blank', 'the screen can still be blanked');
});

test('a key that is held down runs nothing twice', () => {
  assert.equal(press({ key: 'PageDown', repeat: true }), '');
  assert.equal(press({ key: 'a', repeat: true }, { choices: 2 }), '');
  assert.equal(press({ key: '+', repeat: true }), 'more');
});

test('under a cover, next only uncovers', () => {
  assert.equal(press('PageDown', { open: true }), 'close');
  assert.equal(press('r', { open: true }), '');
  assert.equal(press('.', { open: true }), 'blank');
  assert.equal(press('Escape', { open: true, on: false }), 'close', 'also where the keys are off');
});

test('hands are counted by scenario and choice, never below nothing', () => {
  let hands = raise({}, 'one', '2', 1);
  hands = raise(raise(hands, 'one', '2', 1), 'one', '1', 1);
  hands = raise(hands, 'two', '2', 1);
  assert.equal(total(hands.one), 3);
  assert.equal(raise(hands, 'two', '2', -5).two['2'], 0);
  assert.equal(raise(hands, 'two', '2', 5000).two['2'], most);
  assert.deepEqual(bars(hands.one, ['0', '1', '2']), [{ id: '0', n: 0, share: 0 }, { id: '1', n: 1, share: 0.5 }, { id: '2', n: 2, share: 1 }]);
  assert.equal(favourite(hands.one), '2');
  assert.equal(favourite({ a: 2, b: 2 }), '', 'no winner among equals');
  assert.equal(favourite({ a: 0 }), '');
  assert.deepEqual(bars(undefined, ['0']), [{ id: '0', n: 0, share: 0 }]);
});

test('what a store gives back is believed only where it is a count', () => {
  assert.deepEqual(handsOf({ one: { 2: 4, 1: 'x', 0: 1.5 }, two: 7, three: null }), { one: { 2: 4 } });
  assert.deepEqual(handsOf(null), {});
});

test('the timer measures a step and the lesson against the plan', () => {
  const plan = { minute: 5, minutes: 4 };
  assert.deepEqual(readTimer(stopped, 99, plan), { step: 0, total: 0, late: 0 });
  let timer = enter(stopped, 'one', 1000);
  assert.deepEqual(readTimer(timer, 61_500, { minute: 0, minutes: 5 }), { step: 60, total: 60, late: 0 });
  timer = enter(timer, 'two', 241_000);
  assert.deepEqual(readTimer(timer, 251_000, plan), { step: 10, total: 250, late: -50 });
  assert.deepEqual(readTimer(timer, 541_000, plan), { step: 300, total: 540, late: 0 });
  assert.deepEqual(readTimer(timer, 571_000, plan), { step: 330, total: 570, late: 30 });
  assert.equal(enter(timer, 'two', 999_000), timer, 'the same step does not begin again');
  assert.equal(readTimer(timer, 0, plan).total, 0, 'a clock that was set back');
  assert.equal(minutesAndSeconds(605), '10:05');
  assert.equal(minutesAndSeconds(3605), '60:05');
});

test('the plan is walked in its order, and knows how long a step may be', () => {
  const [first, second, third] = stepsOf(lessons);
  assert.deepEqual([first, second, third].map((s) => s.name), ['naive-crash-after-charge', 'answer-lost', 'receipt-at-least-once']);
  assert.equal(neighbour(lessons, first.name, 1), second);
  assert.equal(neighbour(lessons, first.name, -1), null);
  assert.equal(neighbour(lessons, third.name, 1), null);
  assert.equal(minutesFor(lessons, second.name), 5, '38 to 43');
  assert.equal(minutesFor(lessons, third.name), 2, '43 to the end');
  assert.deepEqual(chaptersOf(lessons).map((c) => [c.id, c.scenarios.length]), [['redelivery', 1], ['unknown', 1], ['all-together', 1]]);
  assert.equal(named(lessons, 'nothing'), null);
  assert.equal(lessonsOf({ title: 'Not found' }), null);
});

test('an answer is right, the likely wrong one, or wrong', () => {
  const first = stepsOf(lessons)[0];
  assert.equal(judge(first, '2'), 'right');
  assert.equal(judge(first, '1'), 'likely');
  assert.equal(judge(first, '0'), 'wrong');
  assert.equal(judge(first, ''), '');
});

const known = { hands: 0, runs: 1, playable: true, over: false };

test('beats: question, guesses, run, watch, answer, next step', () => {
  const raised = { ...known, hands: 3 };
  assert.deepEqual(following({ beat: 'question', watch: 0 }, raised), { beat: 'guesses', watch: 0 });
  assert.deepEqual(following({ beat: 'question', watch: 0 }, known), { beat: 'run', watch: 0 }, 'no hands, no totals');
  assert.deepEqual(following({ beat: 'guesses', watch: 0 }, raised), { beat: 'run', watch: 0 });
  assert.deepEqual(following({ beat: 'run', watch: 0 }, known), { beat: 'run', watch: 0 }, 'a run is waited for');
  const over = { ...known, over: true };
  assert.deepEqual(following({ beat: 'run', watch: 0 }, over), { beat: 'watch', watch: 0 });
  assert.deepEqual(following({ beat: 'watch', watch: 0 }, { ...over, runs: 2 }), { beat: 'watch', watch: 1 });
  assert.deepEqual(following({ beat: 'watch', watch: 1 }, { ...over, runs: 2 }), { beat: 'answer', watch: 0 });
  assert.equal(following({ beat: 'answer', watch: 0 }, over), null);
  assert.deepEqual(following({ beat: 'question', watch: 0 }, { ...known, playable: false }), { beat: 'answer', watch: 0 });
  assert.deepEqual(following({ beat: 'guesses', watch: 0 }, over), { beat: 'watch', watch: 0 }, 'what ran is not run again');
  assert.deepEqual(following({ beat: 'run', watch: 0 }, { ...over, runs: 0 }), { beat: 'answer', watch: 0 }, 'cells have no stage');
});

test('beats: back never runs anything', () => {
  const over = { ...known, over: true };
  assert.equal(previous({ beat: 'question', watch: 0 }, known), null);
  assert.deepEqual(previous({ beat: 'answer', watch: 0 }, { ...over, runs: 2 }), { beat: 'watch', watch: 1 });
  assert.deepEqual(previous({ beat: 'watch', watch: 0 }, over), { beat: 'question', watch: 0 });
  assert.deepEqual(previous({ beat: 'run', watch: 0 }, { ...known, hands: 1 }), { beat: 'guesses', watch: 0 });
});

test('a run on the stage halts behind its crash, goes on, and leads on at its end', () => {
  const halts = haltsOf(['a', 'b', 'crash', 'd', 'e'].map((kind) => ({ kind })));
  assert.deepEqual(halts, [3]);
  const stage = { run: true, live: false, playing: true, at: 1, halts, length: 5 };
  assert.deepEqual(stageNext({ ...stage, run: false }), { do: 'begin' });
  assert.deepEqual(stageNext(stage), { do: 'seek', to: 3 });
  assert.deepEqual(stageNext({ ...stage, at: 3, playing: false }), { do: 'play' });
  assert.deepEqual(stageNext({ ...stage, at: 3 }), { do: 'seek', to: 5 });
  assert.deepEqual(stageNext({ ...stage, at: 5 }), { do: 'onward' });
  assert.deepEqual(stageNext({ ...stage, at: 5, live: true }), { do: 'wait' });
  assert.deepEqual(stageNext({ ...stage, at: 5, live: true, playing: false }), { do: 'play' });
  assert.deepEqual(stageBack({ ...stage, at: 5 }), { do: 'seek', to: 3 });
  assert.deepEqual(stageBack({ ...stage, at: 3 }), { do: 'seek', to: 0 });
  assert.deepEqual(stageBack({ ...stage, at: 0 }), { do: 'leave' });
});

test('words for the lesson: every beat, key, measure and mark, in both languages', async () => {
  for (const lang of ['en', 'tr']) {
    const parts = await Promise.all(['lessons', 'notes', 'presenter'].map(async (part) => JSON.parse(await read(`i18n/${part}.${lang}.json`))));
    const words = Object.assign({}, ...parts);
    const keys = [
      ...['question', 'guesses', 'run', 'watch', 'answer'].map((beat) => `notes.beat.${beat}`),
      ...['next', 'back', 'reveal', 'restart'].map((order) => `notes.${order}`),
      ...help.map(({ action }) => `presenter.key.${action}`),
      ...['verdict', 'charges', 'status', 'points', 'receipt', 'ledger', 'deliveries', 'requests', 'replayed', 'two-workers', 'second-purchase'].map((name) => `lessons.check.${name}`),
      ...['ok', '2', '2p', 'p', '0', 'm', 'r', 'L', '?'].map((mark) => `lessons.mark.${mark}`),
      ...['see', 'why', 'source'].map((name) => `lessons.${name}`), ...['question', 'answer', 'likely', 'see', 'why', 'hands', 'upcoming'].map((name) => `notes.part.${name}`),
    ];
    assert.deepEqual(keys.filter((key) => !(key in words)), [], lang);
  }
});
