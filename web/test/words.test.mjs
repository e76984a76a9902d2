import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acts, actions, cards, groups, points, skips, times, troubles } from '../js/model/catalogue.js';
import { happyPath } from '../js/model/ghosts.js';
import { rowsOfRun } from '../js/model/scene.js';
import { everyRun, files, finishedRun, read, strategies } from './helpers.mjs';

/** Every part of a language in one catalogue; a key stands in one part only. @param {string} lang */
async function catalogue(lang) {
  const parts = (await files('i18n', `${lang}.json`)).sort();
  const all = await Promise.all(parts.map(async (file) => Object.entries(JSON.parse(await read(file)))));
  const keys = all.flat().map(([key]) => key);
  assert.equal(new Set(keys).size, keys.length, `a key twice in ${lang}: ${keys.filter((key, i) => keys.indexOf(key) !== i)}`);
  return Object.fromEntries(all.flat());
}

const en = await catalogue('en');
const tr = await catalogue('tr');
const holes = (/** @type {string} */ text) => (text.match(/\{\w+\}/g) ?? []).sort();

test('both catalogues have the same keys and the same placeholders', () => {
  assert.deepEqual(Object.keys(tr).sort(), Object.keys(en).sort());
  for (const key of Object.keys(en)) assert.deepEqual(holes(tr[key]), holes(en[key]), key);
});

test('a placeholder never takes a suffix', () => {
  for (const [key, text] of Object.entries({ ...tr })) assert.doesNotMatch(text, /\}['’\p{L}]/u, key);
});

test('one exclamation mark in the product: at the double charge', () => {
  for (const words of [en, tr]) {
    assert.deepEqual(Object.keys(words).filter((key) => words[key].includes('!')), ['verdict.double']);
  }
});

test('every key that the code names is there', async () => {
  const named = new Set();
  for (const file of await files('js', '.js')) {
    for (const [, key] of (await read(file)).matchAll(/\bt\('([\w.-]+)'/g)) named.add(key);
  }
  named.add('app.tagline');
  for (const { id, next } of acts) named.add(`story.${id}.lead`).add(next);
  for (const { name } of [...groups, { name: 'own' }]) named.add(`strategy.group.${name}`);
  for (const point of [...points, ...troubles]) named.add(`point.${point}`);
  for (const action of actions) named.add(`action.${action}`);
  for (const n of times) named.add(`times.${n}`);
  for (const n of skips) named.add(`skip.${n}`);
  for (const { id } of cards) named.add(`card.${id}`);
  const missing = [...named].filter((key) => !(key in en));
  assert.deepEqual(missing, []);
});

test('every row and every step to come has words', () => {
  const kinds = new Set(['error', 'hang', 'retry', 'dead', 'unknown', 'declined', 'refused', 'accepted']);
  for (const { run } of everyRun()) for (const row of rowsOfRun(run)) kinds.add(row.kind);
  for (const row of rowsOfRun(finishedRun('naive', null, 'pm_card_visa_chargeDeclined'))) kinds.add(row.kind);
  for (const kind of kinds) assert.ok(`row.${kind}` in en && `say.${kind}` in en, kind);
  for (const { steps } of strategies) {
    for (const ghost of happyPath(steps, new Set(['api', 'relay', 'mailer']))) assert.ok(`ghost.${ghost.kind}` in en, ghost.kind);
  }
});
