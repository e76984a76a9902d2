/** The calls of the page. A refusal is a ProblemError with what the server said; silence is one with status 0. */

/** @typedef {import('../types.js').Problem} Problem */

export class ProblemError extends Error {
  /** @param {Problem} problem @param {number} retryAfter  seconds, 0 when the server named none */
  constructor(problem, retryAfter = 0) {
    super(problem.detail || problem.title);
    this.problem = problem;
    this.status = problem.status;
    this.retryAfter = retryAfter;
  }
}

/**
 * @param {string} method @param {string} path @param {any} [body] @param {Record<string, string>} [headers] @param {number} [timeout]
 * @returns {Promise<{status: number, data: any, headers: Headers}>}
 */
async function call(method, path, body, headers = {}, timeout = 10000) {
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch(path, {
      method, cache: 'no-store', signal: AbortSignal.timeout(timeout),
      headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    throw new ProblemError({ title: 'no answer', status: 0, detail: '' });
  }
  const data = await answer.json().catch(() => null);
  if (!answer.ok && answer.status !== 503) throw problemOf(answer, data);
  if (answer.status === 503 && !data?.parts) throw problemOf(answer, data);
  return { status: answer.status, data, headers: answer.headers };
}

/** @param {Response} answer @param {any} data */
function problemOf(answer, data) {
  const problem = { title: answer.statusText, detail: '', ...data, status: answer.status };
  return new ProblemError(problem, Number(answer.headers.get('Retry-After')) || 0);
}

const shopper = { Authorization: 'Bearer ck_demo_ayse' };

export const readyz = async () => /** @type {{ready: boolean, parts: import('../types.js').Part[]}} */ (
  (await call('GET', 'readyz', undefined, {}, 4000)).data);

export const labState = async () => /** @type {import('../types.js').LabState} */ ((await call('GET', 'lab/state')).data);

export const products = async () => /** @type {{products: Array<{sku: string, prices: Record<string, number>}>}} */ (
  (await call('GET', 'v1/products', undefined, shopper)).data);

/** @returns {Promise<import('../types.js').Strategy[]>} */
export const strategies = async () => (await call('GET', 'lab/strategies')).data.strategies;

/** Any other call of the lab: the document it answers. @param {'GET'|'POST'|'PUT'|'DELETE'} method @param {string} path @param {any} [body] @returns {Promise<any>} */
export const lab = async (method, path, body) => (await call(method, `lab/${path}`, body, {}, 30000)).data;

/** @param {string} id @returns {Promise<unknown>} */
export const runDocument = async (id) => (await call('GET', `lab/runs/${encodeURIComponent(id)}`)).data;

/** @returns {Promise<import('../types.js').RunDocument[]>}  the newest, without their events */
export const runs = async () => (await call('GET', 'lab/runs')).data.runs;

/** Act 1 as it was recorded: a file of the page, there before any server is. @returns {Promise<unknown>} */
export const recording = async () => (await call('GET', 'recordings/act-1.json')).data;

/** Lets a process that waits at a step go on. @param {number} instance */
export const letGo = (instance) => call('POST', 'lab/step', { instance });

/** @param {import('../types.js').Setup} setup @param {boolean} step  whether every step waits for the page */
export const putSetup = (setup, step) => call('PUT', 'lab/setup', {
  settings: { strategy: setup.strategy, step }, faults: setup.fault ? [sent(setup.fault)] : [],
});

/** Where the point says it all there is no action to name. @param {import('../types.js').Fault} fault */
const sent = ({ action, ...fault }) => (action ? { action, ...fault } : fault);

/** @param {import('../types.js').Setup} setup @param {string} key @param {number} [timeout] */
export async function checkout(setup, key, timeout = 15000) {
  const body = { currency: setup.currency, items: [{ sku: setup.sku, quantity: 1 }], payment_method: setup.card };
  const { data, headers } = await call('POST', 'v1/checkouts', body, { ...shopper, 'Idempotency-Key': key }, timeout);
  return { order: /** @type {import('../types.js').Order} */ (data), replayed: headers.get('Idempotent-Replayed') === 'true' };
}

/** True when nothing is on its way any more, false when 20 s were not enough. */
export async function quiet() {
  try {
    await call('GET', 'lab/wait?quiet=1&timeout=20s', undefined, {}, 30000);
    return true;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 504) return false;
    throw error;
  }
}

/** @param {string} id */
export const verdict = async (id) => /** @type {import('../types.js').Verdict} */ (
  (await call('GET', `lab/orders/${encodeURIComponent(id)}/verdict`)).data);

/** @param {string} id */
export const orderEvents = async (id) => /** @type {import('../types.js').Event[]} */ (
  (await call('GET', `lab/orders/${encodeURIComponent(id)}/events`)).data.events);

export const statement = async () => /** @type {import('../types.js').Statement} */ (
  (await call('GET', 'lab/statement?account=ayse')).data);

export const reset = () => call('POST', 'lab/reset', undefined, {}, 30000);
