import { App } from './app.js';
import { chooseLanguage, Library } from './lib/i18n.js';
import { attr, find } from './lib/dom.js';
import { uuid } from './lib/uuid.js';
import { cartOf, keyFor } from './model/cart-key.js';
import { firstPrices, sku } from './model/catalogue.js';
import { parseRoute } from './model/route.js';
import * as api from './net/api.js';
import { HealthWatch } from './net/health.js';
import { EventStream } from './net/stream.js';
import { packed } from './packed.js';
import { Player } from './player.js';
import { Runner } from './runner.js';
import { busy, Store } from './store.js';
import { mountViews } from './views.js';
import { mountControl } from './view/control.js';
import { mountDiagram } from './view/diagram.js';
import { mountGuess } from './view/guess.js';
import { mountHeader } from './view/header.js';
import { mountMachine } from './view/machine.js';
import { mountMoney } from './view/money.js';
import { mountPhone } from './view/phone.js';
import { mountCode } from './view/code.js';
import { mountHolds } from './view/holds.js';
import { mountLeft } from './view/left.js';
import { mountRecord } from './view/record.js';
import { rowMenu } from './view/rowmenu.js';
import { mountShop } from './view/shop.js';
import { mountStatus } from './view/status.js';
import { mountTable } from './view/table.js';
import { mountTransport } from './view/transport.js';
import { mountVerdict } from './view/verdict.js';

const dark = matchMedia('(prefers-color-scheme: dark)');
const stored = localStorage.getItem('doublecharge.theme');

async function start() {
  const route = parseRoute(location.hash);
  const query = new URLSearchParams(location.search);
  const asked = query.get('lang') || route.lang;
  const saved = packed();
  const library = saved ? new Library(async (file) => saved.words[file] ?? {}) : new Library();
  const words = await library.words(chooseLanguage(asked, localStorage.getItem('doublecharge.lang'), navigator.languages));
  const theme = query.get('theme') || route.theme || stored;
  const cart = cartOf({ strategy: '', fault: null, card: 'pm_card_visa', currency: 'try', sku });
  const store = new Store({
    words, route, theme: theme === 'dark' || (theme !== 'light' && dark.matches) ? 'dark' : 'light',
    key: keyFor(sessionStorage, cart, uuid), guesses: savedGuesses(),
  });
  const stream = new EventStream();
  const runner = new Runner(store, stream);
  const app = new App(store, runner, new Player(store), library);
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) app.player.setPace('live');
  app.offline = saved !== null;
  mountAll(app);
  store.render();
  document.body.removeAttribute('data-loading');

  document.addEventListener('click', ({ target }) => {
    const tag = target instanceof Element && target.closest('[data-tag]')?.getAttribute('data-tag');
    if (tag) app.point(tag);
  });
  teach(app);
  addEventListener('hashchange', () => app.followRoute());
  dark.addEventListener('change', (e) => {
    if (!localStorage.getItem('doublecharge.theme')) app.setTheme(e.matches ? 'dark' : 'light', false);
  });
  if (saved) {
    document.body.setAttribute('data-packed', '');
    store.set({ strategies: saved.strategies });
    app.openDocument({ ...saved.document, source: 'file' });
    app.followRoute();
    return;
  }
  void learn(store);
  if (route.view === 'run') void app.shelf.show(route.id, route.at);
  watch(app, stream, (route.view === 'story' || route.view === 'lab') && route.pay !== 'reload' ? route.run : '');
}

/** @param {App} app */
function mountAll(app) {
  app.store.add((state) => {
    const { t, lang } = state.words;
    attr(document.documentElement, 'lang', lang);
    attr(document.documentElement, 'data-theme', state.theme);
    attr(document.body, 'data-phase', state.health.phase);
    attr(find('meta[name="description"]', document.head), 'content', t('app.tagline'));
    requestAnimationFrame(reachScrollers);
    for (const node of document.querySelectorAll('[data-name-key]')) attr(node, 'aria-label', t(String(node.getAttribute('data-name-key'))));
  });
  mountHeader(find('#header'), app);
  mountControl(find('#control'), app);
  mountLeft(find('#left'), app);
  mountRecord(find('#record'), app);
  mountCode(find('#code'), app);
  mountShop(find('#shop'), app);
  mountGuess(find('#guess'), app);
  mountPhone(find('#phone'), app);
  mountMachine(find('#machine'), app);
  mountDiagram(find('#diagram'), app, rowMenu(app));
  mountTable(find('#table'), app);
  mountTransport(find('#transport'), app);
  mountVerdict(find('#verdict'), find('#tiles'), app);
  mountMoney(find('#money'), app);
  mountHolds(find('#holds'), app);
  mountViews(find('#view'), app);
  mountStatus(find('#status'), find('#banner'), app);
}

/** Health, events, prices and the state of the lab, as soon as they can be had. @param {App} app @param {EventStream} stream @param {string} run */
function watch(app, stream, run) {
  const health = new HealthWatch();
  let known = false;
  health.alive = () => stream.connected && busy(app.state);
  health.addEventListener('health', async () => {
    app.store.set({ health: health.health });
    if (health.health.phase === 'booting') void app.shelf.playRecording();
    if (health.health.phase !== 'ready' || known) return;
    app.shelf.endRecording();
    known = true;
    stream.open();
    if (run) void app.runner.restore(run, app.state.route.at);
    void app.refreshLab();
    const list = await api.products().catch(() => null);
    const prices = list?.products.find((p) => p.sku === sku)?.prices ?? firstPrices;
    app.store.set({ prices });
  });
  stream.addEventListener('connection', (e) => {
    if (!(/** @type {CustomEvent<boolean>} */ (e).detail)) void health.check();
  });
  health.start();
}

/** What scrolls can be scrolled by keyboard: it takes the focus while there is more than fits. */
function reachScrollers() {
  for (const node of document.querySelectorAll('#money, .details, #phone, #holds, #picture, .scroll')) {
    attr(node, 'tabindex', node.scrollHeight > node.clientHeight + 1 && node.clientHeight > 0 ? 0 : null);
  }
}

/** Keys, clicker and large type come with the first lesson: with presenter mode, or with "?" for help. @param {App} app */
function teach(app) {
  if (app.offline) return;
  let taught = false;
  /** @param {boolean} help */
  const load = async (help) => {
    if (taught) return;
    taught = true;
    const { mountPresenter } = await import('./presenter.js');
    mountPresenter(app, { help });
  };
  if (localStorage.getItem('doublecharge.keys') === 'on') void load(false);
  app.store.add(({ route }) => { if (route.present) void load(false); });
  addEventListener('keydown', ({ key, target }) => {
    const typing = target instanceof Element && target.matches('input:not([type="radio"], [type="range"]), select, textarea');
    if (key === '?' && !typing) void load(true);
  });
}

/** What the strategies are is known before broker and database are. @param {Store} store */
async function learn(store) {
  for (let wait = 300; store.state.strategies.length === 0; wait = Math.min(5000, wait * 2)) {
    const told = await api.strategies().catch(() => null);
    if (told) store.set({ strategies: told });
    else await new Promise((done) => { setTimeout(done, wait); });
  }
}

function savedGuesses() {
  try { return JSON.parse(sessionStorage.getItem('doublecharge.guesses') ?? '{}') ?? {}; } catch { return {}; }
}

void start();
