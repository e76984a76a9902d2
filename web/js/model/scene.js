import { cardOf } from './catalogue.js';
import { faultState, firedRows, unfired } from './fault.js';
import { ghostsAfter, markedGhost } from './ghosts.js';
import { heldOf } from './held.js';
import { lanes, unfolded } from './lanes.js';
import { bankLines, ledgerLines, notices, ofOrders, pair, total } from './money.js';
import { eventsShown } from './playhead.js';
import { rowsOf } from './rows.js';
import { headline, tiles, why } from './verdict.js';

/**
 * Everything the page shows of a run, as a function of its events up to the playhead. Nothing of the picture comes
 * from anywhere else, so phone, statement and verdict cannot run ahead of the diagram.
 *
 * @typedef {import('../types.js').Run} Run
 * @typedef {import('../types.js').Setup} Setup
 * @typedef {ReturnType<typeof sceneOf>} Scene
 */

/** @param {Run|null} run */
export function rowsOfRun(run) {
  return run ? rowsOf(run.events, unfolded(run.events, run.setup.fault)) : [];
}

/**
 * @param {Run|null} run
 * @param {Setup} setup  shown while there is no run
 * @param {number} at    rows shown
 * @param {import('../types.js').Strategy} strategy
 * @param {import('../types.js').Row[]} [rows]  when they are known already
 */
export function sceneOf(run, setup, at, strategy, rows = rowsOfRun(run)) {
  const used = run?.setup ?? setup;
  const { steps } = strategy;
  const events = run?.events ?? [];
  const open = unfolded(events, used.fault);
  const shown = rows.slice(0, at);
  const past = events.slice(0, eventsShown(rows, at, events.length));
  const atEnd = at >= rows.length;
  const settled = run?.phase === 'finished' && atEnd;
  const stopped = run?.phase === 'stopped' && atEnd;
  const ghosts = settled ? [] : ghostsAfter(shown, steps, open);
  return {
    setup: used, strategy, rows, shown, ghosts, settled, stopped,
    lanes: lanes(open, past),
    held: run?.stepping && run.phase !== 'finished' && atEnd ? heldOf(past) : [],
    marked: used.fault ? markedGhost(ghosts, used.fault.point, steps) : -1,
    fault: { state: faultState(run, steps, shown, settled), rows: firedRows(shown) },
    ...judged(settled ? run : null, strategy),
    ...money(run, used, past, settled),
  };
}

/** @param {Run|null|undefined} run @param {import('../types.js').Strategy} strategy */
function judged(run, strategy) {
  const verdict = run?.verdict ?? null;
  const said = verdict && run ? headline(verdict, run.amount, run.presses, run.record ? 1 : run.orderIds?.length) : null;
  const missed = verdict && run && verdict.verdict !== 'pending' ? unfired(run, strategy.steps) : null;
  const survived = missed && said?.tone === 'ok';
  return {
    verdict, missed, headline: survived ? /** @type {typeof said} */ ({ ...said, tone: 'plain', icon: '' }) : said,
    tiles: tiles(verdict), why: verdict ? why(verdict, strategy, run?.setup.fault ?? null, run?.record?.column, run?.record ? 1 : run?.orderIds?.length) : null,
  };
}

/** @param {Run|null} run @param {Setup} setup @param {import('../types.js').Event[]} past @param {boolean} settled */
function money(run, setup, past, settled) {
  const order = {
    amount: run?.amount ?? 0, currency: setup.currency, last4: run?.last4 ?? cardOf(setup.card).last4, orderId: run?.orderId ?? '',
  };
  const ids = run?.orderIds ?? [order.orderId];
  const told = { bank: bankLines(past, order), ledger: ids.flatMap((id) => ledgerLines(past, { ...order, orderId: id })) };
  const books = settled && run?.statement ? ofOrders(run.statement, ids) : told;
  const double = settled && (run?.verdict?.verdict === 'double-charged' || (!run?.record && (run?.orderIds?.length ?? 1) > 1));
  const paid = books.ledger.filter((line) => line.status === 'paid');
  return {
    pairs: pair(books.bank, books.ledger, settled),
    totals: { bank: total(books.bank), ledger: paid.reduce((sum, line) => sum + line.amount, 0), currency: order.currency },
    notices: notices(books.bank, past, double),
  };
}
