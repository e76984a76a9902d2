import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOfRun } from '../js/model/scene.js';
import { everyRun, finishedRun, scene as sceneAt } from './helpers.mjs';
import { bankLines } from '../js/model/money.js';
import { waitOf, worthTelling } from '../js/model/wait.js';

const kinds = (/** @type {any} */ run) => rowsOfRun(run).map((row) => row.kind).join(' ');

test('act 1 reads as the story tells it', () => {
  assert.equal(kinds(finishedRun('naive')),
    'sent deliver charge charged crash start redeliver charge charged effects ack mail');
});

test('act 3: the second answer is the stored one', () => {
  assert.equal(kinds(finishedRun('seen-set-and-key')),
    'sent deliver look charge charged crash start redeliver look charge replayed effects ack mail');
});

test('a crash of the api unfolds it, and the client comes back with the same key', () => {
  const run = finishedRun('naive', { point: 'api.committed', action: 'crash', times: 1 });
  assert.match(kinds(run), /^request stored crash start requestAgain sameOrder publish deliver/);
  assert.deepEqual(sceneAt(run, 99).lanes.map((lane) => lane.id), ['shop', 'api', 'queue', 'worker', 'bank', 'ledger']);
});

test('before the press nothing gives the answer away', () => {
  const { setup } = finishedRun('naive');
  const scene = sceneAt(null, 0, setup);
  assert.equal(scene.headline, null);
  assert.deepEqual(scene.pairs, []);
  assert.deepEqual(scene.notices, []);
  assert.ok(scene.tiles.every((tile) => tile.got === null && tile.icon === ''));
  assert.ok(!scene.ghosts.some((ghost) => ['crash', 'redeliver', 'replayed'].includes(ghost.kind)));
  assert.equal(scene.ghosts[scene.marked].kind, 'charged');
});

test('statement, phone and verdict never run ahead of the playhead, at any row of any run', () => {
  for (const { name, run } of everyRun()) {
    const rows = rowsOfRun(run);
    for (let at = 0; at <= rows.length; at += 1) {
      const scene = sceneAt(run, at);
      const charged = rows.slice(0, at).filter((row) => row.kind === 'charged').length;
      const atEnd = at === rows.length;
      assert.equal(scene.settled, atEnd, `${name}, row ${at}: settled`);
      assert.equal(scene.headline !== null, atEnd, `${name}, row ${at}: verdict`);
      if (atEnd) continue;
      assert.equal(scene.pairs.filter((pair) => pair.bank).length, charged, `${name}, row ${at}: statement`);
      assert.equal(scene.notices.filter((notice) => notice.kind === 'bank').length, charged, `${name}, row ${at}: phone`);
      assert.ok(!scene.notices.some((notice) => notice.kind === 'customer'), `${name}, row ${at}: customer`);
    }
  }
});

test('what the events tell is what the server says in the end', () => {
  for (const { name, run } of everyRun()) {
    const told = sceneAt({ ...run, statement: null }, 99);
    const final = sceneAt(run, 99);
    assert.deepEqual(told.totals, final.totals, name);
    assert.equal(told.pairs.filter((pair) => pair.gap).length, final.pairs.filter((pair) => pair.gap).length, name);
  }
});

test('rows are only added at the end while events come in', () => {
  for (const { name, run } of everyRun()) {
    const all = rowsOfRun(run).map((row) => row.index);
    for (let n = 1; n < run.events.length; n += 1) {
      const open = { ...run, events: run.events.slice(0, n) };
      const part = rowsOfRun({ ...open, setup: run.setup }).map((row) => row.index);
      assert.deepEqual(part, all.slice(0, part.length), `${name}, ${n} events`);
    }
  }
});

test('two charges, one known to the ledger: the other is named a gap', () => {
  const run = finishedRun('seen-set');
  const { pairs } = sceneAt(run, 99);
  assert.deepEqual(pairs.map((pair) => [pair.gap, pair.ledger !== null]), [['missing', false], ['', true]]);
});

test('waiting: a retry counts down while nothing follows it; a process that waits says so when two minutes are left', () => {
  const retry = /** @type {any} */ ({ kind: 'retry', event: { detail: { due_at: '2026-12-01T10:00:10Z' } } });
  const now = Date.parse('2026-12-01T10:00:06.500Z');
  const scene = { held: [], shown: [retry], rows: [retry] };
  assert.deepEqual(waitOf(scene, true, now), { kind: 'retry', s: 4 });
  assert.deepEqual(waitOf(scene, true, now + 60_000), { kind: 'retry', s: 0 });
  assert.equal(waitOf(scene, false, now), null);
  assert.equal(waitOf({ ...scene, rows: [retry, retry] }, true, now), null);
  const held = { ...scene, held: [/** @type {any} */ ({ since: '2026-12-01T10:00:00Z' })] };
  assert.equal(worthTelling(waitOf(held, true, now)), false);
  assert.deepEqual(waitOf(held, true, now + 480_000), { kind: 'held', s: 114 });
  assert.equal(worthTelling(waitOf(held, true, now + 480_000)), true);
});

test('money: a charge whose answer was lost stands in the statement as soon as the worker finds it, and once', () => {
  const order = { amount: 42000, currency: 'try', last4: '4242', orderId: 'o' };
  const event = (/** @type {string} */ step, /** @type {object} */ detail, id = 1) => /** @type {any} */ ({ id, step, order_id: 'o', process: {}, detail });
  const lost = event('stripe.charge', { from: 'stripe', outcome: 'unknown' });
  const found = event('stripe.find', { from: 'stripe', outcome: 'charged', charge_id: 'ch_1' }, 2);
  assert.equal(bankLines([lost], order).length, 0);
  assert.deepEqual(bankLines([lost, found], order).map((line) => [line.charge_id, line.amount]), [['ch_1', 42000]]);
  const told = event('stripe.charge', { from: 'stripe', outcome: 'charged', charge_id: 'ch_1' });
  assert.equal(bankLines([told, found], order).length, 1);
});
