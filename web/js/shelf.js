import { documentOf } from './model/document.js';
import { formatRoute } from './model/route.js';
import * as api from './net/api.js';
import { stages } from './views.js';

/**
 * Runs that were not made on this page: the server's, those in files, the Explorer's schedules, the recording that is
 * shown while the lab is starting.
 *
 * @typedef {import('./types.js').RunDocument} RunDocument
 */
export class Shelf {
  #app;
  /** Documents that are not the server's. @type {Map<string, RunDocument>} */ #documents = new Map();
  #recorded = false;

  /** @param {import('./app.js').App} app */
  constructor(app) { this.#app = app; }

  /** @param {RunDocument} document */
  open(document) {
    this.#documents.set(document.id, document);
    location.hash = formatRoute({ view: 'run', id: document.id, present: this.#app.state.route.present });
  }

  /** A document that is not the server's. @param {string} id */
  kept(id) { return this.#documents.get(id) ?? null; }

  /** @param {string} id @param {number} at  rows shown; -1 for none, ready to play */
  async show(id, at) {
    const { runner } = this.#app;
    const known = this.kept(id);
    if (known) runner.show(known, at);
    else await runner.fetch(id, at);
  }

  /** A file with an exported run. @param {File} file */
  async openFile(file) {
    const document = documentOf(await file.text().then(JSON.parse).catch(() => null));
    if (document) this.open({ ...document, source: 'file' });
    else this.#app.store.set({ refusal: { place: 'file', problem: { title: file.name, status: 0, detail: file.name } } });
  }

  /** While the lab is starting, act 1 is shown as it went elsewhere. */
  async playRecording() {
    const { state } = this.#app;
    if (this.#recorded || state.run || !stages.has(state.route.view)) return;
    this.#recorded = true;
    const kept = documentOf(await api.recording().catch(() => null));
    if (!kept || this.#app.state.health.phase !== 'booting') return;
    this.#app.runner.show({ ...kept, source: 'boot' }, 0);
    this.#app.player.replay();
  }

  /** The lab is there: the table is free. */
  endRecording() {
    const { runner, state } = this.#app;
    if (state.run?.record?.source === 'boot') runner.clear();
  }
}
