import { readFile, readdir } from 'node:fs/promises';
import { points, storyFault, strategyOf, sku } from '../js/model/catalogue.js';
import { newRun } from '../js/model/run.js';
import { sceneOf } from '../js/model/scene.js';
import { paths, simulate } from './simulate.mjs';

const root = new URL('../', import.meta.url);

/** @param {string} path */
export const read = (path) => readFile(new URL(path, root), 'utf8');

/** All files with the ending below a folder. @param {string} folder @param {string} ending @returns {Promise<string[]>} */
export async function files(folder, ending) {
  const all = await readdir(new URL(folder, root), { recursive: true });
  return all.filter((name) => name.endsWith(ending)).map((name) => `${folder}/${name}`);
}

/** The strategies that are simulated, as the server would tell of them. @type {import('../js/types.js').Strategy[]} */
export const strategies = Object.entries(paths).map(([id, path]) => ({
  ...strategyOf([], id), steps: ['worker.received', ...path.map((step) => `worker.${step}`)],
}));

/** The scene of a run. @param {any} run @param {number} at @param {any} [setup] */
export const scene = (run, at, setup = run.setup) => sceneOf(run, setup, at, strategyOf(strategies, setup.strategy));

/** A finished run as the page would hold it. @param {string} strategy @param {any} [fault] @param {string} [card] */
export function finishedRun(strategy, fault = storyFault, card = 'pm_card_visa') {
  const setup = { strategy, fault, card, currency: 'try', sku };
  const plan = { strategy, fault, card, amount: 42000, currency: 'try', key: 'k-1', orderId: 'order-1', messageId: 'message-1' };
  const { events, verdict, bank, ledger } = simulate(plan);
  const listed = events.map((event, i) => ({ id: i + 1, at: new Date(1e12 + i * 40).toISOString(), ...event }));
  const statement = {
    bank: { lines: bank.map((line) => ({ ...line, order_id: 'order-1', message_id: 'message-1', last4: '4242', refunded: 0, at: listed[0].at })) },
    ledger: { lines: [{ order_id: 'order-1', amount: 42000, currency: 'try', ...ledger }] },
  };
  return { ...newRun(setup, 'k-1', 42000), orderId: 'order-1', phase: 'finished', events: listed, verdict, statement };
}

/** Every strategy with a crash at every step. */
export const everyRun = () => strategies.flatMap(({ id }) => points.map((point) => ({
  name: `${id}, crash at ${point}`, run: finishedRun(id, { point, action: 'crash', times: 1 }),
})));
