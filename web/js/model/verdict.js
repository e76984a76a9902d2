/**
 * Run → the words of the verdict. The bank decides; the headline is green only when all four effects are right.
 *
 * @typedef {import('../types.js').Verdict} Verdict
 * @typedef {import('../types.js').Phrase} Phrase
 * @typedef {'bad'|'ok'|'warn'|'unk'|'idle'|'plain'} Tone
 * @typedef {{tone: Tone, icon: string, title: Phrase, sub: Phrase|null, money: {n: number, tooMuch: number}}} Headline
 * @typedef {{name: 'charge'|'status'|'points'|'receipt', got: number|string|null, expected: number|string|null,
 *   tone: Tone, icon: string}} Tile
 */

/** @type {Array<'charge'|'status'|'points'|'receipt'>} */
export const effects = ['charge', 'status', 'points', 'receipt'];

/** The shape that goes with each verdict. @type {Record<string, string>} */
export const marks = {
  'charged-once': '✓', 'double-charged': '✕', 'not-charged': '∅', declined: '⊘', unknown: '?', pending: '…', 'sale-lost': '∅',
};

/** Only the receipt went out too often: mail can be sent twice, and nothing else is wrong. @param {Verdict} verdict */
function lettersOnly(verdict) {
  const { got, expected } = verdict.effects.receipt;
  return verdict.verdict === 'charged-once' && Number(got) > Number(expected)
    && effects.every((name) => verdict.effects[name].ok === (name !== 'receipt'));
}

/** @param {Verdict} verdict @param {number} amount  of the order @param {number} [presses]  of Pay @param {number} [orders]  that came of one purchase @returns {Headline} */
export function headline(verdict, amount, presses = 1, orders = 1) {
  const extra = Math.max(0, verdict.amount_charged - verdict.expected * amount);
  const money = { n: verdict.charges, tooMuch: extra };
  const wrong = effects.filter((name) => !verdict.effects[name].ok);
  /** @param {Tone} tone @param {string} icon @param {string} key @param {Phrase|null} sub @param {Phrase['params']} [params] */
  const say = (tone, icon, key, sub, params) => ({ tone, icon, title: { key, params }, sub, money });
  const counts = { d: verdict.deliveries, n: verdict.charges };
  if (orders > 1 && verdict.charges > 1) {
    money.tooMuch = verdict.amount_charged - amount;
    return say('bad', '✕', 'verdict.orders', { key: 'verdict.orders.sub', params: { o: orders, n: verdict.charges } });
  }
  switch (verdict.verdict) {
    case 'double-charged':
      return say('bad', '✕', verdict.charges > 2 ? 'verdict.many' : 'verdict.double', { key: 'verdict.double.sub' }, counts);
    case 'charged-once':
      if (lettersOnly(verdict)) {
        const { got } = verdict.effects.receipt;
        return say('warn', '!', got === 2 ? 'verdict.receipts' : 'verdict.receipts.many', { key: 'verdict.receipts.sub' }, { got });
      }
      if (wrong.length > 0) {
        return say('bad', '!', 'verdict.onceBut', { key: `verdict.effect.${wrong[0]}` }, { effect: `effect.${wrong[0]}` });
      }
      if (presses > 1) return say('ok', '✓', 'verdict.once', { key: 'verdict.presses', params: { n: presses } });
      return say('ok', '✓', 'verdict.once', { key: verdict.deliveries === 1 ? 'verdict.once.sub.one' : 'verdict.once.sub', params: counts });
    case 'not-charged': return say('warn', '∅', 'verdict.none', { key: 'verdict.none.sub', params: counts });
    case 'declined':
      if (wrong.length > 0) return say('bad', '!', 'verdict.declined', { key: `verdict.effect.${wrong[0]}` });
      return say('plain', '⊘', 'verdict.declined', { key: 'verdict.declined.sub', params: counts });
    case 'sale-lost': return say('bad', '∅', 'verdict.lostSale', { key: 'verdict.lostSale.sub', params: counts });
    case 'unknown': return say('unk', '?', 'verdict.unknown', null);
    default: return say('idle', '…', 'verdict.pending', null);
  }
}

/** @param {Verdict|null} verdict @returns {Tile[]} */
export function tiles(verdict) {
  return effects.map((name) => {
    const effect = verdict?.effects[name];
    if (!effect || verdict?.verdict === 'pending') return { name, got: null, expected: null, tone: 'idle', icon: '' };
    return {
      name, got: effect.got, expected: effect.expected,
      tone: effect.ok ? 'ok' : name === 'receipt' && verdict && lettersOnly(verdict) ? 'warn' : 'bad', icon: effect.ok ? '✓' : name === 'charge' ? '✕' : '!',
    };
  });
}

/** @param {import('../types.js').Fault|null} fault */
const columnOf = (fault) => (fault ? (fault.action ? `${fault.action}:${fault.point}` : fault.point) : '');

/**
 * The one sentence that says why: a key of the catalogue, or the reason that the table of expectations gives for this
 * strategy and this fault.
 * @param {Verdict} verdict @param {import('../types.js').Strategy} strategy @param {import('../types.js').Fault|null} fault
 * @param {string} [column]  of the matrix, where it is known better than from the fault @param {number} [orders]  that came of one purchase
 * @returns {{key: string, text: import('../types.js').Text|null}}
 */
export function why(verdict, strategy, fault, column = columnOf(fault), orders = 1) {
  if (orders > 1 && verdict.charges > 1) return { key: 'why.orders', text: null };
  const key = whyKey(verdict, strategy.id, fault);
  const wrong = effects.filter((name) => !verdict.effects[name].ok);
  const cell = strategy.cells?.find(({ fault: id }) => id === column);
  const known = cell !== undefined && wrong.length > 0 && cell.verdict === verdict.verdict && cell.wrong.includes(wrong[0]);
  const told = key === 'why.1' || (key === 'why.2' && strategy.id === 'seen-set');
  return { key, text: known && !told ? cell.reason : null };
}

/** @param {Verdict} verdict @param {string} strategy @param {import('../types.js').Fault|null} fault */
function whyKey(verdict, strategy, fault) {
  const allRight = effects.every((name) => verdict.effects[name].ok);
  switch (verdict.verdict) {
    case 'double-charged':
      if (fault?.point !== 'worker.charged') return 'why.again';
      return strategy === 'naive' ? 'why.1' : 'why.2';
    case 'charged-once':
      if (lettersOnly(verdict)) return 'why.receipts';
      if (!allRight) return 'why.effect';
      if (verdict.replayed > 0) return 'why.3';
      return verdict.deliveries > 1 ? 'why.safe' : 'why.once';
    case 'declined': return 'why.declined';
    case 'not-charged': return 'why.none';
    case 'sale-lost': return 'why.lostSale';
    default: return '';
  }
}
