import assert from 'node:assert/strict';
import { test } from 'node:test';
import { words } from '../js/lib/i18n.js';
import { ladder } from '../js/model/catalogue.js';
import { columns, face, merge, onItsWay, origin, placeOf, rowGroups } from '../js/model/matrix.js';
import { faceText, nothing, sheet, step } from '../js/model/matrix-sheet.js';
import { read } from './helpers.mjs';

const en = words('en', { ...JSON.parse(await read('i18n/en.json')), ...JSON.parse(await read('i18n/matrix.en.json')) });

/** @param {string} id @param {string[]} faults  expected to go wrong, every one */
const strategy = (id, faults) => ({
  id, title: { en: id, tr: id }, summary: { en: '', tr: '' }, after: { en: '', tr: '' }, source: '', lines: {}, steps: [], windows: [], survives: [],
  cells: faults.map((fault) => ({ fault, title: { en: `head ${fault}`, tr: fault }, verdict: 'double-charged', wrong: ['charge'], reason: { en: 'a secret reason', tr: '' } })),
});
const crash = 'crash:worker.charged';
const strategies = [
  strategy('mine', ['second-purchase', crash]), strategy('payload-key', [crash, 'second-purchase', 'lookup-lost']),
  strategy('seen-set', [crash, 'crash:worker.checked', 'second-purchase', 'broker.duplicate']), strategy('naive', [crash, 'second-purchase']),
];

/** @param {Partial<import('../js/model/matrix.js').Cell>} [patch] @returns {import('../js/model/matrix.js').Cell} */
const cell = (patch) => ({
  strategy: 'naive', fault: crash, state: 'run', run: 'run-1', verdict: 'double-charged', wrong: ['charge'], charges: 2, ok: true, reason: { en: 'because', tr: '' }, ...patch,
});
/** @param {import('../js/model/matrix.js').Cell[]|null} cells @param {Partial<import('../js/model/matrix.js').Job>} [patch] @returns {import('../js/model/matrix.js').Job} */
const job = (cells, patch) => ({ id: 'job', state: 'finished', done: 1, total: 1, cells, commit: 'abc1234', at: '2026-11-30T18:04:00Z', ...patch });
const open = { applies: true, covered: false, running: false };
const begun = '2026-11-30T19:00:00Z';

test('a cell is a count and a shape', () => {
  /** @param {Partial<import('../js/model/matrix.js').Cell>} patch */
  const text = (patch) => faceText(face(cell(patch), open), 'n/a');
  assert.equal(text({}), '2 ✕');
  assert.equal(text({ verdict: 'charged-once', wrong: [], charges: 1 }), '1 ✓');
  assert.equal(text({ verdict: 'charged-once', wrong: ['points'], charges: 1 }), '1 !');
  assert.equal(text({ verdict: 'not-charged', charges: 0 }), '0 ∅');
  assert.equal(text({ verdict: 'charged-once', wrong: [], charges: 2 }), '2 ✓');
  assert.equal(text({ verdict: '', error: 'the fault did not strike' }), '?');
  assert.equal(faceText(face(undefined, open), 'n/a'), '·');
  assert.equal(faceText(face(cell({}), { ...open, running: true }), 'n/a'), '…');
  assert.equal(faceText(face(cell({}), { ...open, applies: false }), 'n/a'), 'n/a');
});

test('a press opens a result, runs what has none, and uncovers first of all', () => {
  assert.equal(face(cell(), open).press, 'open');
  assert.equal(face(undefined, open).press, 'run');
  assert.equal(face(cell(), { ...open, covered: true }).press, 'uncover');
  assert.equal(face(cell(), { ...open, running: true }).press, '');
  assert.equal(face(undefined, { ...open, applies: false }).press, '');
  assert.equal(face(cell({ verdict: '', run: '', error: 'no lane' }), open).press, 'run');
});

test('what a covered cell holds is nowhere in it', () => {
  assert.deepEqual(face(cell(), { ...open, covered: true }), face(cell({ verdict: 'not-charged', charges: 0 }), { ...open, covered: true }));
});

test('a result that is not the expected one is marked', () => {
  assert.equal(face(cell(), open).differs, false);
  assert.equal(face(cell({ ok: false }), open).differs, true);
});

test('faults in the order of time, strategies as on the ladder, the learner\'s own last', () => {
  assert.deepEqual(columns(strategies).map(({ id }) => id), ['crash:worker.checked', crash, 'broker.duplicate', 'lookup-lost', 'second-purchase']);
  assert.deepEqual(rowGroups(strategies).map((group) => group.map(({ id }) => id)), [['naive', 'seen-set'], ['payload-key'], ['mine']]);
  assert.ok(ladder.indexOf('naive') < ladder.indexOf('seen-set'));
});

test('before any run no expectation is in the sheet', () => {
  const text = JSON.stringify(sheet(strategies, nothing(), en));
  assert.doesNotMatch(text, /secret|double|too often|[✕✓∅!]/);
  assert.match(text, /head crash:worker\.charged/);
});

test('the sentence of a cell names strategy, fault and result; a red one has its reason, a covered one does not', () => {
  const results = merge({}, job([cell()]), begun);
  const shown = sheet(strategies, { ...nothing(), results }, en).groups[0][0].cells.find(({ fault }) => fault === crash);
  assert.equal(shown?.name, `naive, head ${crash}: charged too often · charges:\u00a02`);
  assert.equal(shown?.reason, 'because');
  const covered = sheet(strategies, { ...nothing(), mode: 'guess', results }, en).groups[0][0];
  assert.equal(covered.covered, true);
  assert.doesNotMatch(JSON.stringify(covered), /because|too often|✕/);
  const uncovered = sheet(strategies, { ...nothing(), mode: 'guess', results, open: [placeOf('naive', crash)] }, en).groups[0][0];
  assert.equal(uncovered.cells.find(({ fault }) => fault === crash)?.face.mark, '✕');
});

test('a part that ran again replaces itself and nothing else', () => {
  const whole = merge({}, job([cell(), cell({ fault: 'second-purchase', run: 'run-2' })]), begun);
  const part = merge(whole, job([cell({ run: 'run-3' })], { at: '2026-11-30T18:10:00Z', commit: 'def5678' }), begun);
  assert.equal(part[placeOf('naive', crash)].run, 'run-3');
  assert.equal(part[placeOf('naive', 'second-purchase')].run, 'run-2');
  assert.deepEqual(origin(part), { from: '2026-11-30T18:04:00Z', to: '2026-11-30T18:10:00Z', commits: ['abc1234', 'def5678'] });
  assert.equal(origin({}), null);
});

test('an older matrix never covers a newer result', () => {
  const newer = merge({}, job([cell({ run: 'new' })], { at: '2026-11-30T18:10:00Z' }), begun);
  assert.equal(merge(newer, job([cell({ run: 'old' })]), begun)[placeOf('naive', crash)].run, 'new');
});

test('a matrix on its way: what is done is told, what is planned is not, and its time is when it was asked for', () => {
  const running = job([cell(), cell({ fault: 'second-purchase', verdict: '', run: '' })], { state: 'running', commit: '', at: '0001-01-01T00:00:00Z' });
  const results = merge({}, running, begun);
  assert.deepEqual(Object.keys(results), [placeOf('naive', crash)]);
  assert.equal(results[placeOf('naive', crash)].at, begun);
  assert.deepEqual(merge({}, job(null, { state: 'running' }), begun), {});
  assert.deepEqual(merge({}, job([cell({ state: 'not-applicable', verdict: '' })]), begun), {});
});

test('on its way is what was asked for and has not come', () => {
  const running = job([cell()], { state: 'running' });
  assert.equal(onItsWay({}, running, 'naive', crash), false);
  assert.equal(onItsWay({}, running, 'seen-set', crash), true);
  assert.equal(onItsWay({ strategy: ['naive'] }, running, 'seen-set', crash), false);
  assert.equal(onItsWay({ fault: ['second-purchase'] }, running, 'seen-set', crash), false);
  assert.equal(onItsWay({}, job([cell()]), 'seen-set', crash), false);
});

test('arrows, Home and End stay in the table', () => {
  const size = { rows: 3, columns: 5 };
  assert.deepEqual(step('ArrowRight', false, { row: 1, column: 5 }, size), { row: 1, column: 5 });
  assert.deepEqual(step('ArrowLeft', false, { row: 1, column: 1 }, size), { row: 1, column: 0 });
  assert.deepEqual(step('ArrowUp', false, { row: 0, column: 2 }, size), { row: 0, column: 2 });
  assert.deepEqual(step('ArrowDown', false, { row: 1, column: 2 }, size), { row: 2, column: 2 });
  assert.deepEqual(step('End', false, { row: 1, column: 2 }, size), { row: 1, column: 5 });
  assert.deepEqual(step('End', true, { row: 1, column: 2 }, size), { row: 2, column: 5 });
  assert.deepEqual(step('Home', true, { row: 1, column: 2 }, size), { row: 0, column: 0 });
  assert.equal(step('x', false, { row: 1, column: 2 }, size), null);
});

test('every way a cell can speak has words', () => {
  for (const verdict of ['charged-once', 'double-charged', 'not-charged', 'sale-lost', 'declined', 'unknown', 'pending']) {
    const { key } = face(cell({ verdict, wrong: [] }), open).text;
    assert.ok(en.has(key), key);
  }
  assert.ok(['none', 'covered', 'running', 'idle', 'error', 'effect'].every((name) => en.has(`matrix.says.${name}`)));
  assert.ok(['ok', 'warn', 'lost', 'bad'].every((name) => en.has(`matrix.legend.${name}`)));
  assert.ok(['open', 'run', 'uncover'].every((name) => en.has(`matrix.press.${name}`)));
});
