/**
 * A stand-in for the lab's server: the page with its real security headers, and runs from simulate.mjs.
 *
 *   node test/fake-server.mjs [--port 4243] [--boot 6] [--speed 40]
 *
 * `POST /fake` with {"boot": seconds} or {"down": seconds} makes it start again or fall silent.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { simulate } from './simulate.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' };
const csp = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const catalogue = [{ sku: 'filter-coffee', prices: { try: 42000, eur: 820, usd: 995, jpy: 1200, kwd: 3100 } }];

/** @param {{boot?: number, speed?: number}} [options] */
export function fakeServer({ boot = 0, speed = 40 } = {}) {
  /** @type {any[]} */ const events = [];
  /** @type {Set<import('node:http').ServerResponse>} */ const listeners = new Set();
  /** @type {Map<string, any>} */ const orders = new Map();
  /** @type {Map<string, any>} */ const keys = new Map();
  let setup = { settings: { strategy: 'seen-set-and-key' }, faults: /** @type {any[]} */ ([]) };
  let began = Date.now() - (boot > 0 ? 0 : 1e6);
  let bootFor = boot;
  let downUntil = 0;
  let pending = 0;
  /** @type {string[]} */ const calls = [];

  /** @param {any} event */
  function emit(event) {
    const whole = { id: events.length + 1, at: new Date().toISOString(), ...event };
    events.push(whole);
    for (const answer of listeners) answer.write(`id: ${whole.id}\ndata: ${JSON.stringify(whole)}\n\n`);
  }

  /** @param {any} body @param {string} key */
  function order(body, key) {
    const orderId = randomUUID();
    const amount = catalogue[0].prices[/** @type {'try'} */ (body.currency)];
    const plan = { strategy: setup.settings.strategy, fault: setup.faults[0] ?? null, card: body.payment_method, amount, currency: body.currency, key, orderId, messageId: randomUUID() };
    const run = simulate(plan);
    const made = { id: orderId, status: 'pending', amount, currency: body.currency, items: body.items, attempts: [], points: 0, receipts: 0, created_at: new Date().toISOString() };
    orders.set(orderId, { ...run, plan });
    keys.set(key, made);
    pending += 1;
    void (async () => {
      for (const event of run.events) {
        if (event.step === 'process.started') await sleep(speed * 5);
        emit(event);
        if (event.step === 'stripe.charge') for (const line of run.bank) if (line.charge_id === event.detail.charge_id) line.at ??= new Date().toISOString();
        await sleep(speed);
      }
      setup.faults = [];
      pending -= 1;
    })();
    return made;
  }

  function readiness() {
    const seconds = (Date.now() - began) / 1000;
    const parts = ['database', 'broker', 'relay', 'worker', 'mailer', 'bank'].map((name, i) => {
      const ready = seconds > (bootFor * (i + 1)) / 6;
      return { name, ready, waiting_for: ready ? '' : i > 1 ? 'broker' : '', seconds: Math.floor(Math.min(seconds, (bootFor * (i + 1)) / 6)) };
    });
    return { ready: parts.every((part) => part.ready), parts };
  }

  const statement = () => ({
    bank: { lines: [...orders.values()].flatMap(({ bank, plan }) => bank.map((/** @type {any} */ line) => ({ ...line, order_id: plan.orderId, message_id: plan.messageId, last4: plan.card.includes('Declined') ? '0002' : '4242', refunded: 0 }))) },
    ledger: { lines: [...orders.values()].map(({ ledger, plan }) => ({ order_id: plan.orderId, amount: plan.amount, currency: plan.currency, status: ledger.status, points: ledger.points, receipts: ledger.receipts, charge_id: ledger.charge_id })) },
  });

  /** @param {import('node:http').ServerResponse} answer @param {number} status @param {any} body @param {any} [headers] */
  const send = (answer, status, body, headers = {}) => answer.writeHead(status, { 'Content-Type': status >= 400 ? 'application/problem+json' : 'application/json', ...headers }).end(JSON.stringify(body));

  const server = createServer(async (request, answer) => {
    const url = new URL(request.url ?? '/', 'http://local');
    const body = await text(request);
    if (url.pathname === '/fake') {
      const wish = JSON.parse(body);
      if (wish.boot) { began = Date.now(); bootFor = wish.boot; }
      if (wish.down) { downUntil = Date.now() + wish.down * 1000; for (const l of listeners) l.destroy(); }
      return send(answer, 200, {});
    }
    if (Date.now() < downUntil) return void request.socket.destroy();
    if (request.method !== 'GET') calls.push(`${request.method} ${url.pathname}`);
    const id = /^\/lab\/orders\/([^/]+)\/(\w+)$/.exec(url.pathname);
    if (id && !orders.has(id[1])) return send(answer, 404, { title: 'not found', status: 404, detail: 'no such order' });
    if (id) {
      if (id[2] === 'verdict') return send(answer, 200, orders.get(id[1]).verdict);
      return send(answer, 200, { events: events.filter((event) => event.order_id === id[1]) });
    }
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /readyz': { const now = readiness(); return send(answer, now.ready ? 200 : 503, now); }
      case 'GET /lab/state': return send(answer, 200, { ...setup, version: 'fake', waiting: [], processes: [{ role: 'worker', number: 1, start: 2, instance: 7, pid: 4113, restarts: 1 }], stripe: { mode: 'emulator', base: '' }, queues: [], quiet: pending === 0 });
      case 'PUT /lab/setup': {
        const wish = JSON.parse(body);
        if (wish.faults[0]?.point === 'mail.marked') return send(answer, 409, { title: 'conflict', status: 409, detail: 'this fault cannot be armed here' });
        setup = wish;
        return send(answer, 200, setup);
      }
      case 'GET /v1/products': return send(answer, 200, { products: catalogue });
      case 'POST /v1/checkouts': {
        const key = String(request.headers['idempotency-key'] ?? '');
        if (!keys.has(key)) return send(answer, 202, order(JSON.parse(body), key));
        const old = keys.get(key);
        emit({ order_id: '', process: { role: 'api', number: 1, start: 1, instance: 1, pid: 4001 }, step: 'http.request', detail: { from: 'client', to: 'api', key } });
        emit({ order_id: old.id, process: { role: 'api', number: 1, start: 1, instance: 1, pid: 4001 }, step: 'http.request', detail: { from: 'api', to: 'client', key, status: 202, outcome: 'replayed' } });
        return send(answer, 202, old, { 'Idempotent-Replayed': 'true' });
      }
      case 'GET /lab/events': {
        answer.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
        const after = Number(request.headers['last-event-id'] ?? url.searchParams.get('after') ?? 0);
        for (const event of events) if (event.id > after) answer.write(`id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`);
        answer.write(': hello\n\n');
        listeners.add(answer);
        answer.on('close', () => listeners.delete(answer));
        return undefined;
      }
      case 'GET /lab/wait': while (pending > 0) await sleep(20); return send(answer, 200, { quiet: true });
      case 'GET /lab/statement': return send(answer, 200, statement());
      case 'POST /lab/reset': orders.clear(); keys.clear(); setup.faults = []; return send(answer, 200, {});
      default: return file(url.pathname, answer);
    }
  });
  return { server, calls, events };
}

/** @param {string} path @param {import('node:http').ServerResponse} answer */
async function file(path, answer) {
  const name = normalize(path === '/' ? '/index.html' : path);
  try {
    const data = await readFile(join(root, name));
    answer.writeHead(200, { 'Content-Type': types[/** @type {'.js'} */ (extname(name))] ?? 'application/octet-stream', 'Content-Security-Policy': csp, 'Cache-Control': 'no-store' }).end(data);
  } catch {
    answer.writeHead(404).end();
  }
}

/** @param {import('node:http').IncomingMessage} request @returns {Promise<string>} */
async function text(request) {
  let all = '';
  for await (const part of request) all += part;
  return all;
}

/** @param {number} ms @returns {Promise<void>} */
const sleep = (ms) => new Promise((done) => { setTimeout(done, ms); });

// The test runner loads every file of this folder; then nobody listens.
if (process.argv[1] === fileURLToPath(import.meta.url) && !process.env.NODE_TEST_CONTEXT) {
  /** @param {string} name @param {number} fallback */
  const option = (name, fallback) => Number(process.argv[process.argv.indexOf(name) + 1] || fallback) || fallback;
  const has = (/** @type {string} */ name) => process.argv.includes(name);
  const { server } = fakeServer({ boot: has('--boot') ? option('--boot', 6) : 0, speed: has('--speed') ? option('--speed', 40) : 40 });
  const port = has('--port') ? option('--port', 4243) : 4243;
  server.listen(port, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${port}\n`));
}
