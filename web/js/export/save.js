import { strategyOf } from '../model/catalogue.js';
import { documentOf } from '../model/document.js';
import { sceneOf } from '../model/scene.js';
import * as api from '../net/api.js';
import { drawingOf } from './drawing.js';
import { packPage } from './page.js';

/** A run as a file: its document, its drawing, or the whole page around it. @typedef {'json'|'svg'|'html'} Format */

/** @param {import('../app.js').App} app @param {Format} format */
export async function save(app, format) {
  const kept = await documentFor(app);
  if (!kept) return;
  const name = `double-charge-${kept.strategy}-${kept.id.slice(-8)}.${format}`;
  if (format === 'json') download(name, 'application/json', `${JSON.stringify(kept, null, 2)}\n`);
  if (format === 'svg') download(name, 'image/svg+xml', drawing(app));
  if (format === 'html') download(name, 'text/html', await page(app, kept));
}

/** The document of the run on the stage. @param {import('../app.js').App} app */
async function documentFor(app) {
  const { run } = app.state;
  const id = run?.record?.id ?? run?.orderId ?? '';
  return app.shelf.kept(id) ?? documentOf(await api.runDocument(id));
}

/** @param {import('../app.js').App} app */
function drawing(app) {
  const { run, setup, strategies, words } = app.state;
  const scene = sceneOf(run, setup, app.store.rows.length, strategyOf(strategies, run?.setup.strategy ?? ''), app.store.rows);
  const style = getComputedStyle(document.documentElement);
  return drawingOf(scene, words, (token) => style.getPropertyValue(`--${token}`).trim());
}

/** @param {import('../app.js').App} app @param {import('../types.js').RunDocument} kept */
async function page(app, kept) {
  const [en, tr] = await Promise.all(['en', 'tr'].map((lang) => read(`i18n/${lang}.json`).then(JSON.parse)));
  const strategies = app.state.strategies.filter((strategy) => strategy.id === kept.strategy);
  return packPage({ document: kept, strategies, words: { en, tr } }, read);
}

/** @param {string} path */
async function read(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.text();
}

/** @param {string} name @param {string} type @param {string} content */
function download(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
