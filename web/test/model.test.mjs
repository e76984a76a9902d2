import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cartOf, definite, keyFor, spend } from '../js/model/cart-key.js';
import { due, eventsShown, pause, play, playhead, seek, tick } from '../js/model/playhead.js';
import { formatRoute, parseRoute } from '../js/model/route.js';
import { strategyOf } from '../js/model/catalogue.js';
import { eventsOf, merge, orderIdIn } from '../js/model/run.js';
import { headline, why } from '../js/model/verdict.js';
import { money, tail } from '../js/lib/format.js';
import { chooseLanguage } from '../js/lib/i18n.js';
import { finishedRun, strategies } from './helpers.mjs';

/** @param {string[]} kinds */
const rows = (...kinds) => /** @type {any[]} */ (kinds.map((kind, index) => ({ kind, index })));

test('playhead: rows are at least 320 ms apart and never before they are there', () => {
  let head = playhead();
  const list = rows('sent', 'deliver', 'crash');
  head = tick(head, list, 0);
  assert.equal(head.at, 1);
  assert.equal(tick(head, list, 319).at, 1);
  head = tick(head, list, 1000);
  assert.equal(head.at, 2);
  assert.equal(tick({ ...head, at: 3 }, list, 9000).at, 3);
  assert.equal(due({ ...head, at: 3 }, list, 9000), null);
  assert.equal(tick(pause(head), list, 9000).at, 2);
  assert.equal(tick({ ...head, pace: 'live' }, list, 1001).at, 3);
});

test('playhead: a hand on it pauses; play at the end begins again', () => {
  const head = seek(playhead(), 7, 5);
  assert.deepEqual([head.at, head.playing], [5, false]);
  assert.equal(play(head, 5, 0).at, 0);
  assert.equal(play(seek(head, 2, 5), 5, 0).at, 2);
  assert.equal(eventsShown(/** @type {any} */ ([{ index: 3 }, { index: 8 }]), 1, 20), 8);
});

test('key: kept until the cart changes or the order has an end', () => {
  const store = new Map();
  const keep = { getItem: (/** @type {string} */ n) => store.get(n) ?? null, setItem: (/** @type {string} */ n, /** @type {string} */ v) => void store.set(n, v), removeItem: (/** @type {string} */ n) => void store.delete(n) };
  let n = 0;
  const mint = () => `key-${n += 1}`;
  const cart = cartOf({ sku: 'a', currency: 'try', card: 'x', strategy: '', fault: null });
  assert.equal(keyFor(keep, cart, mint), 'key-1');
  assert.equal(keyFor(keep, cart, mint), 'key-1');
  assert.equal(keyFor(keep, 'other', mint), 'key-2');
  spend(keep);
  assert.equal(keyFor(keep, 'other', mint), 'key-3');
  assert.deepEqual([0, 202, 409, 422, 429, 500, 503].filter(definite), [202, 422]);
});

test('address: holds the set-up, and nonsense becomes act 1', () => {
  const route = parseRoute('#/lab?strategy=seen-set&fault=worker.acked&action=hang&times=2');
  assert.deepEqual([route.view, route.strategy, route.fault], ['lab', 'seen-set', { point: 'worker.acked', action: 'hang', times: 2, skip: 0 }]);
  assert.equal(formatRoute(route), '#/lab?strategy=seen-set&fault=worker.acked&action=hang&times=2');
  for (const hash of ['', '#/', '#/story/9', '#/nonsense?strategy=<b>']) {
    assert.deepEqual([parseRoute(hash).act, parseRoute(hash).strategy], [1, 'naive']);
  }
  assert.equal(parseRoute('#/story/2').strategy, 'seen-set');
  assert.equal(parseRoute('#/&lang=tr').lang, 'tr');
  assert.equal(parseRoute('#/lab?fault=rm&strategy=naive').fault, null);
});

test('events: the run is found by its key, then by its order; strangers stay out', () => {
  const at = '2026-01-01T00:00:00Z';
  const process = { role: 'api', number: 1, start: 1, instance: 1, pid: 1 };
  const all = /** @type {any[]} */ ([
    { id: 1, at, process, step: 'process.started', detail: {} },
    { id: 2, at, process, step: 'http.request', order_id: 'never', detail: { from: 'client', key: 'k' } },
    { id: 3, at, process, step: 'fault.fired', order_id: 'never', detail: {} },
    { id: 4, at, process, step: 'process.started', detail: {} },
    { id: 5, at, process, step: 'http.request', order_id: 'mine', detail: { from: 'client', key: 'k' } },
    { id: 6, at, process, step: 'worker.charged', order_id: 'other', detail: {} },
    { id: 7, at, process, step: 'http.request', order_id: 'mine', detail: { from: 'api', key: 'k' } },
    { id: 8, at, process, step: 'process.started', detail: {} },
  ]);
  assert.equal(orderIdIn(all, 'k'), 'mine');
  assert.deepEqual(eventsOf(all, 'mine', ['k'], 7).map((event) => event.id), [2, 3, 4, 5, 7]);
  assert.deepEqual(merge(all.slice(0, 4), all.slice(2)).map((event) => event.id), [1, 2, 3, 4, 5, 6, 7, 8]);
});

test('verdict: the bank decides, and green only when all four effects are right', () => {
  const twice = finishedRun('naive').verdict;
  assert.deepEqual([headline(twice, 42000).title.key, headline(twice, 42000).tone, headline(twice, 42000).money], ['verdict.double', 'bad', { n: 2, tooMuch: 42000 }]);
  const once = finishedRun('seen-set-and-key').verdict;
  assert.deepEqual([headline(once, 42000).title.key, headline(once, 42000).tone, why(once, strategyOf(strategies, 'seen-set-and-key'), null).key], ['verdict.once', 'ok', 'why.3']);
  const letters = finishedRun('naive', { point: 'mail.sent', action: 'crash', times: 1 }).verdict;
  assert.deepEqual([headline(letters, 42000).title.key, headline(letters, 42000).tone], ['verdict.receipts', 'warn']);
  const refused = finishedRun('naive', null, 'pm_card_visa_chargeDeclined').verdict;
  assert.deepEqual([headline(refused, 42000).title.key, headline(refused, 42000).icon], ['verdict.declined', '⊘']);
});

test('money: minor units, each currency with its own digits', () => {
  assert.equal(money('en', 42000, 'try'), '₺420.00');
  assert.equal(money('tr', 42000, 'try'), '₺420,00');
  assert.equal(money('en', 1200, 'jpy'), '¥1,200');
  assert.match(money('en', 3100, 'kwd'), /3\.100/);
  assert.equal(tail('ch_7Q2YGTRSICCZM6542OYPMW7EF7'), 'ch_…7EF7');
  assert.equal(tail('01a22eab-fd9a-706b-8122-86d9a39cf4f1'), '…f4f1');
});

test('language: the link, then the stored choice, then the browser', () => {
  assert.equal(chooseLanguage('tr', 'en', ['de']), 'tr');
  assert.equal(chooseLanguage('xx', 'tr', ['de']), 'tr');
  assert.equal(chooseLanguage('', null, ['tr-TR']), 'tr');
  assert.equal(chooseLanguage('', null, ['de']), 'en');
});
