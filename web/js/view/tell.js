import { count, money, shortTail, since, tail } from '../lib/format.js';
import { roleOf } from '../model/catalogue.js';

/**
 * Rows and phrases → words.
 *
 * @typedef {import('../types.js').Row} Row
 * @typedef {import('../lib/i18n.js').Words} Words
 * @typedef {import('../model/scene.js').Scene} Scene
 */

/** @param {Words} words @param {string} lane */
export function laneName({ t }, lane) {
  const second = /^worker(\d+)$/.exec(lane);
  return second ? `${t('lane.worker')} ${second[1]}` : t(`lane.${lane}`);
}

/** @param {Words} words @param {Row} row @param {Scene} scene */
export function paramsOf(words, row, scene) {
  const { lang } = words;
  const amount = row.event.detail.amount ?? scene.pairs[0]?.ledger?.amount ?? scene.pairs[0]?.bank?.amount;
  const currency = row.event.detail.currency ?? scene.setup.currency;
  const { role, points } = row.params;
  return {
    ...row.params,
    tail: row.tag ? shortTail(row.tag) : '',
    id: row.tag ? tail(row.tag) : '',
    amount: amount === undefined ? '' : money(lang, amount, currency),
    points: count(lang, Number(points ?? 0)),
    role: role === undefined ? '' : words.t(`lane.${roleOf(String(role))}`),
  };
}

/** The words on the arrow. @param {Words} words @param {Row} row @param {Scene} scene */
export const label = (words, row, scene) => words.t(`row.${row.kind}`, paramsOf(words, row, scene));

/** What happened, as a sentence. @param {Words} words @param {Row} row @param {Scene} scene */
export function say(words, row, scene) {
  const key = row.kind === 'effects' && row.params.marked ? 'say.effects.marked' : `say.${row.kind}`;
  return words.t(key, paramsOf(words, row, scene));
}

/** Number and lanes of a row: with `say` the complete sentence of a screen reader. @param {Words} words @param {Row} row @param {number} n */
export function where(words, row, n) {
  const key = row.from === row.to ? 'row.local' : 'row.between';
  return words.t(key, { n, from: laneName(words, row.from), to: laneName(words, row.to) });
}

/** Everything else that is known of a row, for the detail strip. @param {Words} words @param {Row} row @param {Scene} scene */
export function facts(words, row, scene) {
  const { event } = row;
  const { process, detail } = event;
  return [
    since(words.lang, scene.rows[0]?.event.at ?? event.at, event.at) + ` ${words.t('unit.s')}`,
    process.pid ? `pid ${process.pid}` : '', detail.request_id, detail.reason, row.tag,
  ].filter(Boolean);
}

/** @param {Words} words @param {import('../types.js').Fault|null} fault @param {Scene['fault']} [now] */
export function faultText(words, fault, now = { state: 'will', rows: [] }) {
  const { t } = words;
  if (!fault) return t('fault.none');
  const { point, action, times, skip } = fault;
  if (now.state === 'fired') return t('fault.fired', { n: now.rows.join(', ') });
  if (now.state === 'silent') return t('fault.silent', { point });
  const will = now.state === 'will';
  if (point === 'worker.charged' && action === 'crash' && times === 1 && !skip) return t(will ? 'fault.will' : 'fault.armed');
  const often = skip ? t('fault.often', { times: t(`times.${times}`), skip: t(`skip.${skip}`) }) : t(`times.${times}`);
  if (!action) return t(will ? 'fault.will.trouble' : 'fault.trouble', { what: t(`point.${point}`), times: often });
  return t(will ? 'fault.will.other' : 'fault.other', { point, action: t(`action.${action}`), times: often });
}

/** A fault as one phrase, whatever became of it. @param {Words} words @param {import('../types.js').Fault} fault */
export function faultPhrase({ t, has }, { point, action, times = 1 }) {
  const where = has(`point.${point}`) ? t(`point.${point}`) : point;
  const what = action && has(`action.${action}`) ? `${t(`action.${action}`)} · ${where}` : where;
  return times > 1 && has(`times.${times}`) ? `${what} · ${t(`times.${times}`)}` : what;
}

/** @param {Words} words @param {import('../types.js').Fault|null} fault */
export const faultWords = ({ t }, fault) => ({
  action: fault?.action ? t(`action.${fault.action}`) : fault ? t(`point.${fault.point}`) : t('action.crash'),
  times: t(`times.${fault?.times ?? 1}`),
});

/** The verdict in words: headline, what is below it, why. @param {Words} words @param {Scene} scene */
export function verdictWords({ t, of, lang }, { headline, setup, missed, why }) {
  if (!headline) return { title: '', sub: '', why: '' };
  const { n, tooMuch } = headline.money;
  const values = { n, amount: money(lang, tooMuch, setup.currency) };
  const params = headline.title.params ?? {};
  const effect = typeof params.effect === 'string' ? t(params.effect) : '';
  return {
    title: t(headline.title.key, { ...values, ...params, effect }),
    sub: missed ? t(missed.key, missed.params) : headline.sub ? t(headline.sub.key, { ...values, ...headline.sub.params }) : '',
    why: why?.text ? of(why.text) : why?.key ? t(why.key) : '',
  };
}
