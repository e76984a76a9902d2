import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentOf, ofOnePurchase, runOf } from '../js/model/document.js';
import { read, scene } from './helpers.mjs';

const recorded = JSON.parse(await read('recordings/act-1.json'));

test('the recording of act 1 is a run that charges twice', () => {
  const run = runOf(/** @type {any} */ (documentOf(recorded)));
  const shown = scene(run, 99);
  assert.deepEqual([run.setup.strategy, run.setup.fault?.point, shown.headline?.tone], ['naive', 'worker.charged', 'bad']);
  assert.equal(shown.pairs.filter((pair) => pair.gap === 'missing').length, 1);
});

test('a file is believed only if it is a run from end to end', () => {
  const wrong = [null, 7, 'x', [], {}, { ...recorded, events: 'many' }, { ...recorded, events: [{ id: 'one' }] }, { ...recorded, verdicts: [{}] },
    { ...recorded, statement: { bank: { lines: [{ amount: '<b>' }] }, ledger: { lines: [] } } }, { ...recorded, id: 7 }];
  for (const data of wrong) assert.equal(documentOf(data), null, JSON.stringify(data)?.slice(0, 60));
  assert.notEqual(documentOf(recorded), null);
});

test('two orders of one purchase: one of each effect was intended', () => {
  const once = { ...recorded.verdicts[0], verdict: 'charged-once', charges: 1, effects: {
    charge: { got: 1, expected: 1, ok: true }, status: { got: 'paid', expected: 'paid', ok: true },
    points: { got: 420, expected: 420, ok: true }, receipt: { got: 1, expected: 1, ok: true } } };
  const { charges, expected, effects } = ofOnePurchase([once, once]);
  assert.deepEqual([charges, expected, effects.charge, effects.points.ok, effects.status.ok], [2, 1, { got: 2, expected: 1, ok: false }, false, true]);
});
