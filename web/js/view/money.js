import { attr, find, h, list, setText } from '../lib/dom.js';
import { clock, count, money, shortTail } from '../lib/format.js';

/**
 * The bank's statement beside our ledger: one table of two columns, equal charges on one row, a difference joined by
 * a red line.
 * @param {HTMLElement} root @param {import('../app.js').App} app
 */
export function mountMoney(root, app) {
  const caption = h('p.gap');
  const body = h('tbody');
  const table = h('table.books', {},
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }), h('th', { scope: 'col' }))), body,
    h('tfoot', {}, h('tr', {}, h('td.num'), h('td.num'))));
  const empty = h('p.silent');
  root.append(table, empty, caption);

  app.store.add((state, scene) => {
    const { t, lang } = state.words;
    const { pairs, totals } = scene;
    const heads = table.querySelectorAll('th');
    setText(heads[0], t('money.bank'));
    setText(heads[1], t('money.ledger'));
    const nothing = !pairs.some((pair) => pair.bank);
    setText(empty, t('money.empty'));
    empty.hidden = !nothing || pairs.length > 0;
    list(body, pairs, (pair) => pair.bank?.charge_id || pair.ledger?.order_id || '-', () => h('tr', {}, h('td'), h('td')),
      (node, pair) => fillPair(/** @type {HTMLElement} */ (node), pair, state));
    const foot = find('tfoot tr', table);
    foot.hidden = nothing;
    setText(foot.children[0], t('money.total', { amount: money(lang, totals.bank, totals.currency) }));
    setText(foot.children[1], t('money.total', { amount: money(lang, totals.ledger, totals.currency) }));
    const clean = scene.settled && pairs.some((pair) => pair.gap === 'missing') && pairs.some((pair) => pair.ledger?.status === 'paid');
    setText(caption, t('money.gap'));
    caption.hidden = !clean;
  });
}

/** @param {HTMLElement} node @param {import('../model/money.js').Pair} pair @param {import('../store.js').State} state */
function fillPair(node, pair, { words: { t, lang }, tag }) {
  const { bank, ledger, gap } = pair;
  node.dataset.gap = gap;
  node.dataset.failed = String(bank?.status === 'failed');
  lines(node.children[0], bank
    ? [money(lang, bank.amount, bank.currency), `…${shortTail(bank.charge_id)}`, `${clock(lang, bank.at)} · ${t(`charge.${bank.status}`)}`]
    : [gap === 'extra' ? t('money.notAtBank') : '–']);
  lines(node.children[1], ledger
    ? [money(lang, ledger.amount, ledger.currency), ledger.charge_id ? `…${shortTail(ledger.charge_id)}` : '',
      `${t(`status.${ledger.status}`)} · ${t('money.points', { points: count(lang, ledger.points) })}`]
    : [gap === 'missing' ? t('money.notInLedger') : '']);
  point(node.children[0], bank?.charge_id ?? '', tag);
  point(node.children[1], ledger?.charge_id ?? '', tag);
}

/** @param {Element} cell @param {string} id @param {string} chosen */
function point(cell, id, chosen) {
  const node = cell.querySelector('.id');
  if (!node) return;
  attr(node, 'data-tag', id || null);
  node.classList.toggle('same', id !== '' && id === chosen);
}

/** @param {Element} cell @param {string[]} texts */
function lines(cell, texts) {
  list(cell, texts, (_, i) => String(i), (_, i) => h(['strong.num', 'span.id.num', 'span.small'][i]), (node, text) => setText(node, text));
  cell.classList.toggle('only', texts.length === 1);
}
