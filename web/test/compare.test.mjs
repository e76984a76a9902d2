import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storyFault } from '../js/model/catalogue.js';
import { align, chargesIn, inLanes, lanes, livesOf, orderOf, pairOf } from '../js/model/compare.js';
import { lifelines } from '../js/model/lifelines.js';
import { formatRoute, parseRoute } from '../js/model/route.js';
import { rowsOfRun } from '../js/model/scene.js';
import { finishedRun, strategies } from './helpers.mjs';

/** @param {string} strategy @param {any} [fault] */
const rowsOf = (strategy, fault = storyFault) => inLanes(rowsOfRun(finishedRun(strategy, fault)));

test('a comparison has three lanes, and nothing of the shop', () => {
  for (const { id } of strategies) {
    const ends = new Set(rowsOf(id).flatMap(({ from, to }) => [from, to]));
    assert.deepEqual([...ends].sort(), ['bank', 'queue', 'worker'], id);
  }
});

test('no row is lost, none is said twice, and order is kept', () => {
  for (const { id } of strategies) {
    for (const fault of [storyFault, null, { ...storyFault, point: 'worker.received' }]) {
      const [a, b] = [rowsOf('naive', fault), rowsOf(id, fault)];
      const lines = align(a, b);
      assert.deepEqual(lines.flatMap((line) => line.a ?? []), a, id);
      assert.deepEqual(lines.flatMap((line) => line.b ?? []), b, id);
      assert.ok(lines.every((line) => line.a || line.b));
    }
  }
});

test('the same step stands on the same line: a second charge beside the stored answer', () => {
  const lines = align(rowsOf('naive'), rowsOf('seen-set-and-key'));
  const beside = lines.flatMap(({ a, b }) => (a && b ? [`${a.kind} ${b.kind}`] : []));
  assert.ok(beside.includes('charged replayed'), beside.join());
  assert.ok(beside.includes('crash crash'));
  const alone = lines.filter(({ a }) => !a).map(({ b }) => b?.kind);
  assert.deepEqual(alone, ['look', 'look']);
  const same = align(rowsOf('naive'), rowsOf('naive'));
  assert.ok(same.every(({ a, b }) => a && b));
});

test('of two ways to align, steps meet at the first: what came again stands alone', () => {
  const row = (/** @type {string} */ kind) => /** @type {any} */ ({ kind });
  const a = ['deliver', 'charge', 'charged', 'crash', 'redeliver', 'charge', 'replayed', 'ack'].map(row);
  const b = ['deliver', 'find', 'charge', 'charged', 'ack'].map(row);
  const said = align(a, b).map((line) => `${line.a?.kind ?? '-'} ${line.b?.kind ?? '-'}`);
  assert.deepEqual(said.slice(0, 4), ['deliver deliver', '- find', 'charge charge', 'charged charged']);
  assert.deepEqual(said.at(-1), 'ack ack');
});

test('where a side has no step its worker is as it was: dead ones stay dead', () => {
  const rows = rowsOf('naive');
  const at = rows.findIndex(({ kind }) => kind === 'crash');
  const holed = [...rows.slice(0, at + 1), null, ...rows.slice(at + 1)];
  const lives = livesOf(holed, lifelines(rows, lanes));
  assert.deepEqual(lives[at + 1].worker, { top: 'off', bottom: 'off' });
  assert.equal(lives.length, holed.length);
  assert.deepEqual(livesOf([null], [])[0].bank, { top: 'on', bottom: 'on' });
});

test('charges are counted as they come, a stored answer is none', () => {
  assert.equal(chargesIn(rowsOf('naive')), 2);
  assert.equal(chargesIn(rowsOf('seen-set-and-key')), 1);
});

test('the address holds it all: without a fault it is the crash of the Story, "none" is none', () => {
  const hash = '#/compare?a=naive&b=hybrid&fault=worker.acked&action=hang';
  const pair = pairOf(parseRoute(hash), hash);
  assert.deepEqual([pair.a, pair.b, pair.fault?.point, pair.fault?.action], ['naive', 'hybrid', 'worker.acked', 'hang']);
  assert.equal(formatRoute({ view: 'compare', ...pair }), hash);
  assert.deepEqual(pairOf(parseRoute('#/compare'), '#/compare').fault, storyFault);
  assert.equal(pairOf(parseRoute('#/compare?fault=none'), '#/compare?fault=none').fault, null);
});

test('both sides are sent the same, to one worker each; where the point says it all no action is named', () => {
  assert.deepEqual(orderOf('naive', storyFault).faults, [storyFault]);
  assert.deepEqual(orderOf('naive', null), { strategy: 'naive', settings: { workers: 1 }, faults: [] });
  const lost = { point: 'stripe.response_lost', action: '', times: 1, skip: 0 };
  assert.equal('action' in orderOf('naive', lost).faults[0], false);
});
