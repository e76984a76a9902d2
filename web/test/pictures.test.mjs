import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cells, places, effects } from '../js/model/pictures/effects.js';
import { branches, exits, forkOf } from '../js/model/pictures/fork.js';
import { guardsOf, keepsKey } from '../js/model/pictures/guards.js';
import { journeyOf } from '../js/model/pictures/journey.js';
import { bankMemory, cameBy, fateAt, inUnits, memoryOf, moment, place, week } from '../js/model/pictures/memory.js';
import { pastOf } from '../js/model/pictures/past.js';
import { statesOf } from '../js/model/pictures/states.js';
import { joined, stripOf } from '../js/model/pictures/strip.js';
import { crashPoints, togetherOf } from '../js/model/pictures/together.js';
import { raceOf } from '../js/model/pictures/workers.js';
import { rowsOfRun } from '../js/model/scene.js';
import { parseRoute } from '../js/model/route.js';
import { points } from '../js/model/catalogue.js';
import { files, finishedRun, read, scene, strategies } from './helpers.mjs';

const strategy = (/** @type {string} */ id) => /** @type {any} */ (strategies.find((s) => s.id === id) ?? { id, steps: [], windows: [] });
const harm = (/** @type {string} */ en) => ({ en, tr: en });
const steps = (/** @type {string[]} */ ...names) => names.map((name) => `worker.${name}`);
const events = (/** @type {any} */ run) => run.events;

test('strip: no bar before the run, the strategy\'s own bars after it', () => {
  const naive = { ...strategy('naive'), windows: [
    { from: 'worker.charged', to: 'worker.applied', effect: 'charge', harm: harm('a') },
    { from: 'worker.applied', to: 'worker.acked', effect: 'charge, points', harm: harm('b') },
  ] };
  assert.deepEqual([stripOf(naive, null, false).bars, stripOf(naive, null, false).calm], [[], '']);
  const { bars, calm } = stripOf(naive, null, true);
  assert.deepEqual(joined(bars), [{ from: 2, to: 4, kind: 'twice', harms: [harm('a'), harm('b')] }]);
  assert.equal(calm, '');
});

test('strip: a bar before the charge is a loss, one without the charge is our books, none is absorbed or asked', () => {
  const ackFirst = { id: 'ack-first', steps: steps('received', 'acked', 'charging', 'charged', 'applied'), windows: [
    { from: 'worker.acked', to: 'worker.charging', effect: 'charge, points', harm: harm('a') },
    { from: 'worker.charging', to: 'worker.charged', effect: 'charge, points', harm: harm('a') },
    { from: 'worker.charged', to: 'worker.applied', effect: 'points', harm: harm('a') },
  ] };
  assert.deepEqual(joined(stripOf(/** @type {any} */ (ackFirst), null, true).bars).map(({ from, to, kind, harms }) => [from, to, kind, harms.length]), [[1, 3, 'lost', 1], [3, 4, 'books', 1]]);
  assert.equal(stripOf(strategy('seen-set-and-key'), null, true).calm, 'absorbed');
  assert.equal(stripOf(strategy('lookup-first'), null, true).calm, 'asked');
  assert.equal(stripOf(strategy('my-own'), null, true).calm, 'none');
});

test('strip: the armed step is marked, and only for a crash', () => {
  const armed = (/** @type {string} */ action) => stripOf(strategy('naive'), { point: 'worker.charged', action, times: 1 }, false).ticks.filter((tick) => tick.armed);
  assert.deepEqual(armed('crash').map((tick) => tick.point), ['worker.charged']);
  assert.deepEqual(armed('hang'), []);
});

test('pictures never see further than the playhead', () => {
  const run = finishedRun('naive');
  const rows = rowsOfRun(run);
  for (let at = 0; at <= rows.length; at += 1) {
    const past = pastOf(run, scene(run, at));
    const charged = rows.slice(0, at).filter((row) => row.kind === 'charged').length;
    assert.equal(past.filter((event) => event.detail.outcome === 'charged').length, charged, `row ${at}`);
  }
  assert.deepEqual(pastOf(null, scene(null, 0, run.setup)), []);
});

test('journey: the message keeps its id, and only a forwarded id makes the bank\'s keys equal', () => {
  const good = journeyOf(events(finishedRun('seen-set-and-key')), strategy('seen-set-and-key'), 'form');
  assert.deepEqual(good.legs.map((leg) => [leg.messageJoint, leg.keyJoint, leg.minted, leg.outcome, leg.killed]),
    [['', '', false, 'charged', true], ['same', 'same', false, 'replayed', false]]);
  const bad = journeyOf(events(finishedRun('seen-set')), strategy('seen-set'), 'form');
  assert.deepEqual(bad.legs.map((leg) => [leg.messageJoint, leg.keyJoint, leg.minted]), [['', '', true], ['same', 'other', true]]);
  assert.equal(bad.source, 'call');
  assert.deepEqual(journeyOf([], strategy('naive'), 'form'), { click: 'form', message: '', legs: [], source: 'call' });
});

/** @param {Array<[number, string, any?]>} list  worker, step, detail */
const race = (list) => /** @type {any[]} */ (list.map(([number, step, detail = {}], i) => (
  { id: i + 1, process: { role: 'worker', number, instance: number }, step, delivery: number, message_id: 'm', detail })));

test('two workers: both looked before either charged, one insert passes', () => {
  const both = race([[1, 'broker.deliver'], [2, 'broker.deliver'], [1, 'worker.checked'], [2, 'worker.checked'],
    [2, 'stripe.charge', {}], [2, 'stripe.charge', { outcome: 'charged' }], [1, 'stripe.charge', {}], [1, 'stripe.charge', { outcome: 'charged' }],
    [1, 'worker.recorded'], [1, 'worker.acked'], [2, 'worker.acked']]);
  const { real, barrier, charges, moments } = raceOf(both, strategy('seen-set'));
  assert.deepEqual([real, barrier, charges], [true, 1, 2]);
  assert.deepEqual(moments.map(({ worker, kind }) => `${worker}${kind}`), ['0look', '1look', '1call', '1answer', '0call', '0answer', '0insert', '1blocked']);
});

test('two workers: one after the other is no race, and is drawn as the scheme of the strategy', () => {
  const after = race([[1, 'broker.deliver'], [1, 'worker.checked'], [1, 'stripe.charge', {}], [1, 'stripe.charge', { outcome: 'charged' }],
    [2, 'broker.deliver'], [2, 'worker.checked']]);
  assert.equal(raceOf(after, strategy('seen-set')).real, false);
  const kinds = (/** @type {any} */ s) => raceOf([], s).moments.filter(({ worker }) => worker === 0).map(({ kind }) => kind);
  assert.deepEqual(kinds(strategy('seen-set')), ['look', 'call', 'answer', 'insert']);
  assert.deepEqual(kinds(strategy('naive')), ['call', 'answer']);
  const before = { id: 'mark-first', steps: steps('received', 'recorded', 'charging', 'charged', 'applied', 'acked') };
  assert.equal(raceOf([], /** @type {any} */ (before)).gate, 'before');
  assert.ok(raceOf([], strategy('seen-set')).moments.every(({ outcome }) => outcome === ''), 'a scheme has no outcome');
});

test('memory: the axis goes from a second to a week and back', () => {
  assert.deepEqual([place(1), place(week), place(0), place(week * 9)], [0, 1, 0, 1]);
  for (const seconds of [1, 60, 3600, bankMemory, week]) assert.ok(Math.abs(moment(place(seconds)) - seconds) <= 1, String(seconds));
  assert.deepEqual([14, 600, 7200, week].map(inUnits), [{ n: 14, unit: 's' }, { n: 10, unit: 'min' }, { n: 2, unit: 'h' }, { n: 7, unit: 'd' }]);
});

test('memory: red is where a delivery can come and nobody knows the key', () => {
  const of = (/** @type {string} */ id) => memoryOf(strategy(id), [500, 2000, 10000]);
  assert.deepEqual(of('key-only').danger, { from: bankMemory, to: week });
  assert.deepEqual(of('naive').danger, { from: 1, to: week });
  assert.deepEqual([of('seen-set-and-key').danger, of('lookup-first').danger], [null, null]);
  assert.deepEqual([3600, bankMemory + 1, week].map((s) => fateAt(of('key-only'), s)), ['absorbed', 'again', 'again']);
  assert.deepEqual([3600, bankMemory + 1].map((s) => fateAt(of('seen-set-and-key'), s)), ['absorbed', 'asked']);
  assert.deepEqual([3600, bankMemory + 1].map((s) => fateAt(of('receiver-key'), s)), ['again', 'asked']);
  const early = (/** @type {string[]} */ ...names) => memoryOf(/** @type {any} */ ({ id: 'naive', steps: steps(...names) }), [500]);
  const [acked, marked] = [early('received', 'acked', 'charging', 'charged'), early('received', 'recorded', 'charging', 'charged', 'acked')];
  assert.deepEqual([acked.danger, fateAt(acked, 60), cameBy(acked, 60), acked.bars[0].none, acked.bars[1].none], [null, 'none', 'never', true, true]);
  assert.deepEqual([marked.danger, fateAt(marked, 60), cameBy(marked, 60)], [null, 'marked', 'dead']);
  assert.deepEqual([of('naive').bars[0].to, cameBy(of('naive'), 12), cameBy(of('naive'), 13)], [12.5, 'retries', 'dead']);
});

test('fork: what happened and which way out was taken', () => {
  assert.deepEqual(forkOf(events(finishedRun('naive'))), { branches: ['came'], exits: ['newKey'] });
  assert.deepEqual(forkOf(events(finishedRun('seen-set-and-key'))), { branches: ['came'], exits: ['sameKey'] });
  assert.deepEqual(forkOf(events(finishedRun('naive', null))), { branches: [], exits: [] });
  const crash = { point: 'worker.recorded', action: 'crash', times: 1 };
  assert.deepEqual(forkOf(events(finishedRun('seen-set', crash))).branches, [], 'written down: nothing is unknown');
  const lost = race([[1, 'broker.deliver'], [1, 'stripe.charge', { key: 'a' }], [1, 'fault.fired', { point: 'stripe.response_lost' }],
    [1, 'stripe.charge', { key: 'a', outcome: 'unknown' }], [2, 'stripe.find', { to: 'stripe' }]]);
  assert.deepEqual(forkOf(lost), { branches: ['lost'], exits: ['ask'] });
});

test('three states: a kill before the writing makes done unknown again', () => {
  const { now, taken, written } = statesOf(events(finishedRun('naive')));
  assert.deepEqual([now, written, taken], ['done', true, { send: 1, answer: 2, refuse: 0, lose: 0, repeat: 1, forget: 1 }]);
  const late = statesOf(events(finishedRun('seen-set', { point: 'worker.recorded', action: 'crash', times: 1 })));
  assert.equal(late.taken.forget, 0);
  const refused = statesOf(events(finishedRun('naive', null, 'pm_card_visa_chargeDeclined')));
  assert.deepEqual([refused.now, refused.taken.refuse], ['notDone', 1]);
  assert.equal(statesOf([]).begun, false);
});

test('outbox: a crash before the mark publishes twice, one after the commit once', () => {
  const at = (/** @type {string} */ point) => togetherOf(events(finishedRun('naive', { point, action: 'crash', times: 1 })));
  assert.deepEqual([at('relay.published').published, at('relay.published').killed], [2, ['published']]);
  assert.deepEqual([at('api.committed').published, at('api.committed').killed], [1, ['committed']]);
});

test('effects: every cell that has a shape has a run that the address understands', () => {
  assert.equal(cells().length, effects.length * places.length);
  for (const { shape, run } of cells()) {
    assert.equal(shape !== '', run !== null);
    if (run) assert.equal(parseRoute(`#/lab?strategy=${run.strategy}&fault=${run.point}`).fault?.point, run.point);
  }
});

test('guards: only a key made from the intention comes back the same', () => {
  const keeps = ['key-only', 'seen-set-and-key', 'hybrid', 'payload-key', 'trace-key'];
  for (const id of [...keeps, 'naive', 'receiver-key', 'timestamp-key', 'lookup-first', 'my-own']) {
    assert.equal(keepsKey(guardsOf(strategy(id))), keeps.includes(id), id);
  }
});

test('words: what the pictures name is there, and nothing lies about unused', async () => {
  const en = JSON.parse(await read('i18n/pictures.en.json'));
  const all = (await Promise.all((await files('js/view', '.js')).filter((file) => file.includes('pictures')).map(read))).join('\n');
  const named = [...all.matchAll(/'(pictures\.[^'`\n]*)'|`(pictures\.[^`\n]*)`/g)].map(([, plain, made]) => plain ?? made);
  const shapes = named.map((key) => new RegExp(`^${key.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[A-Za-z]+')}$`));
  const keys = Object.keys(en);
  assert.deepEqual(named.filter((_, i) => !keys.some((key) => shapes[i].test(key))), []);
  assert.deepEqual(keys.filter((key) => !shapes.some((shape) => shape.test(key))), ['pictures.unit.s', 'pictures.unit.min', 'pictures.unit.h', 'pictures.unit.d'].filter((key) => !shapes.some((shape) => shape.test(key))));
  const values = {
    'strip.': points.filter((point) => point.startsWith('worker.')).map((point) => point.split('.')[1]), 'strip.kind.': ['twice', 'lost', 'books'],
    'strip.calm.': ['absorbed', 'asked', 'none'], 'journey.outcome.': ['charged', 'replayed', 'declined', 'unknown', 'asked'],
    'journey.made.': ['call', 'message', 'payload', 'receipt', 'clock', 'trace'], 'workers.gate.': ['none', 'before', 'after'],
    'workers.': ['look', 'call', 'answer', 'insert', 'blocked', 'held', 'running', 'failed'], 'memory.seen.': ['none', 'postgres', 'redis'],
    'memory.fate.': ['again', 'absorbed', 'asked', 'marked', 'none'], 'memory.came.': ['retries', 'dead', 'never'], 'states.is.': ['notDone', 'unknown', 'done'], 'fork.': [...branches, ...exits].map(({ name }) => name),
    'together.': Object.values(crashPoints).flat().map(({ name }) => name), 'effects.shape.': [...new Set(cells().map(({ shape }) => shape).filter(Boolean))],
  };
  for (const [stem, names] of Object.entries(values)) for (const name of names) assert.ok(`pictures.${stem}${name}` in en, `${stem}${name}`);
});
