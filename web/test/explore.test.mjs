import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentOf } from '../js/model/counterexample.js';
import * as document from '../js/model/document.js';
import * as model from '../js/model/explore.js';
import { read, scene } from './helpers.mjs';

/** `doublecharge explore --format json`, without the sentences. */
const explored = JSON.parse(await read('test/explored.json'));
const all = explored.strategies.flatMap((/** @type {any} */ s) => s.violations.map((/** @type {any} */ v) => ({ id: s.strategy, v, name: `${s.strategy}, ${v.adversary} breaks ${v.property}` })));
const made = (/** @type {any} */ { id, v }) => /** @type {any} */ (document.documentOf(documentOf(id, v, explored)));
const effectOf = (/** @type {string} */ property) => (['lost', 'sale-lost'].includes(property) ? 'charge' : property);

test('every counterexample is a run in which what it breaks is wrong', () => {
  assert.ok(all.length > 80);
  for (const one of all) {
    const run = document.runOf(made(one));
    const shown = scene(run, 999);
    assert.ok(shown.settled, one.name);
    const effect = shown.tiles.find(({ name }) => name === effectOf(one.v.property));
    assert.notEqual(effect?.tone, 'ok', one.name);
    assert.notEqual(shown.headline?.tone, 'ok', one.name);
    assert.equal(run.record?.source, 'explore');
  }
});

test('bank and ledger are what the model left', () => {
  for (const one of all) {
    const { statement, verdicts, verdict } = made(one);
    one.v.outcomes.forEach((/** @type {any} */ { charges, points, receipts }, /** @type {number} */ i) => {
      const id = `order-${i + 1}`;
      assert.equal(statement.bank.lines.filter((/** @type {any} */ l) => l.order_id === id).length, charges, one.name);
      assert.deepEqual([verdicts[i].effects.points.got, verdicts[i].effects.receipt.got], [points * 420, receipts], one.name);
    });
    assert.equal(verdict === 'double-charged', one.v.outcomes.some((/** @type {any} */ o) => o.charges > 1), one.name);
    assert.equal(verdict === 'sale-lost', one.v.property === 'sale-lost', one.name);
  }
});

test('a ledger that names a charge names one that the bank has', () => {
  for (const one of all) {
    const { statement } = made(one);
    const known = statement.bank.lines.map((/** @type {any} */ l) => l.charge_id);
    for (const line of statement.ledger.lines) {
      if (line.status === 'paid') assert.ok(known.includes(line.charge_id), `${one.name}: ${line.charge_id}`);
    }
  }
});

test('what the diagram counts by itself agrees with the bank, but for answers that were lost', () => {
  for (const one of all) {
    const run = document.runOf(made(one));
    const silent = one.v.counterexample.filter((/** @type {any} */ l) => l.event.endsWith('=lost') && l.outcome === 'charged').length;
    const told = scene({ ...run, phase: 'running' }, 999).pairs.filter(({ bank }) => bank).length;
    assert.equal(told + silent, run.statement?.bank.lines.length, one.name);
  }
});

test('every trouble of a schedule can be seen, but for a clock and a store that nobody draws', () => {
  const drawn = /** @type {Record<string, string[]>} */ ({
    crash: ['crash', 'start'], duplicate: ['publishAgain'], 'lease-end': ['hang'], 'charge=lost': ['unknown'], 'charge=never': ['unknown'],
  });
  for (const one of all) {
    const { rows } = scene(document.runOf(made(one)), 999);
    for (const { event } of one.v.counterexample) {
      for (const kind of drawn[event.replace(/^w\d:/, '')] ?? []) assert.ok(rows.some((row) => row.kind === kind), `${one.name}: ${event}`);
    }
    const deliveries = one.v.counterexample.concat(one.v.rest).filter((/** @type {any} */ l) => l.event.endsWith(':deliver')).length;
    assert.equal(rows.filter((row) => /^(re)?deliver$/.test(row.kind)).length, deliveries, one.name);
  }
});

test('two workers have lanes of their own, and each its crash and its next start', () => {
  const two = all.find(({ v }) => v.schedule.includes('w2:'));
  assert.deepEqual(scene(document.runOf(made(two)), 999).lanes.map(({ id }) => id), ['shop', 'queue', 'worker', 'worker2', 'bank', 'ledger']);
  const crash = all.find(({ v }) => v.schedule.includes('w1:crash'));
  const { rows } = scene(document.runOf(made(crash)), 999);
  assert.deepEqual(rows.filter(({ kind }) => ['crash', 'start'].includes(kind)).map(({ params }) => [params.start, params.pid]), [[1, '–'], [2, '–']]);
});

const example = (/** @type {string} */ id, /** @type {string} */ adversary, /** @type {string} */ property) => all.find((/** @type {any} */ one) => one.id === id && one.v.adversary === adversary && one.v.property === property)?.v;
const found = (/** @type {string} */ id) => explored.strategies.find((/** @type {any} */ s) => s.strategy === id);

test('the shortest stands first, and what all troubles together find is not said twice', () => {
  for (const { strategy } of explored.strategies) {
    const lengths = model.examples(found(strategy)).map((v) => v.counterexample.length);
    assert.deepEqual(lengths, [...lengths].sort((a, b) => a - b), strategy);
  }
  assert.equal(model.examples(found('naive')).some(({ adversary }) => adversary === 'combined'), false);
  const combined = { ...example('lookup-first', 'combined', 'charge'), counterexample: [] };
  assert.equal(model.examples({ ...found('lookup-first'), violations: [combined, ...found('lookup-first').violations] })[0], combined);
});

test('real processes try the faults of the same adversary; of all together, those whose trouble is in the schedule', () => {
  const cells = [['crash:worker.charged', 'crash'], ['stripe.response_lost', 'lost-answer'], ['key-forgotten', 'forgotten-key'], ['two-workers', 'two-workers'], ['second-purchase', 'second-purchase']]
    .map(([fault, adversary]) => ({ fault, adversary }));
  const strategy = /** @type {any} */ ({ cells });
  assert.deepEqual(model.columnsOf(strategy, example('naive', 'crash', 'charge')), ['crash:worker.charged']);
  assert.deepEqual(model.columnsOf(strategy, example('key-only', 'combined', 'charge')), ['stripe.response_lost', 'key-forgotten']);
  assert.deepEqual(model.columnsOf(strategy, example('lookup-first', 'combined', 'charge')), ['two-workers']);
});

test('the same verdict is the same property broken, in a run that went well', () => {
  const cell = (/** @type {any} */ patch) => ({ state: 'run', verdict: 'charged-once', wrong: [], ...patch });
  const double = cell({ verdict: 'double-charged', wrong: ['charge', 'points'] });
  const none = cell({ verdict: 'not-charged', wrong: ['charge', 'status', 'points', 'receipt'] });
  assert.deepEqual(['charge', 'points', 'lost', 'status'].map((p) => model.breaks(p, double)), [true, true, false, false]);
  assert.deepEqual(['charge', 'lost', 'sale-lost', 'status'].map((p) => model.breaks(p, none)), [false, true, false, false]);
  assert.equal(model.compared('charge', [cell({}), double]).cell, double);
  assert.deepEqual(model.compared('charge', [cell({}), none]), { same: false, cell: null, failed: null });
  const broken = { ...double, error: 'the fault did not strike' };
  assert.deepEqual(model.compared('charge', [broken]), { same: false, cell: null, failed: broken });
});

test('every adversary and property has words', async () => {
  const en = JSON.parse(await read('i18n/explore.en.json'));
  for (const { v } of all) {
    for (const key of [`adversary.${v.adversary}`, `breaks.${v.property}`, `property.${v.property}`]) assert.ok(`explore.${key}` in en, key);
  }
});
