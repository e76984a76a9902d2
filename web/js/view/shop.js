import { attr, find, h, setText } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { money, shortTail } from '../lib/format.js';
import { acts, cards, currencies, keyHabits } from '../model/catalogue.js';
import { busy } from '../store.js';

/** What Ayşe sees: the product, her card, one button to pay. @param {HTMLElement} root @param {import('../app.js').App} app */
export function mountShop(root, app) {
  const lead = h('p.lead');
  const product = h('div.product', {}, icon('cup'), h('h2'), h('strong.num'));
  const card = select('card', cards.map((c) => c.id), (value) => app.choose({ card: value }));
  const currency = select('currency', currencies, (value) => app.choose({ currency: value }));
  const pay = h('button.primary.pay', { type: 'button', 'aria-describedby': 'pay-note', onclick: () => void app.pay() }, h('span'));
  const tag = h('span.tag.key', { lang: 'en', translate: 'no' });
  const habit = /** @type {HTMLSelectElement} */ (h('select.habit', { onchange: () => app.choose({ pay: habit.value }) }, ...keyHabits.map((value) => h('option', { value }))));
  const keyLine = h('p.keyline', {}, tag, habit, h('span'));
  const note = h('p.refusal', { id: 'pay-note' });
  const next = h('button.primary.next', { type: 'button', onclick: () => goOn(app) }, h('span'), icon('arrow'));
  const form = h('form.card.shop', { onsubmit: (/** @type {Event} */ e) => e.preventDefault() },
    product, h('div.fields', {}, card, currency), pay, note, keyLine);
  root.append(lead, form);
  find('#next').append(next);

  app.store.add((state) => {
    const { t, lang } = state.words;
    const running = busy(state);
    const done = state.run !== null && state.seen;
    const { setup } = state.run ?? state;
    const amount = money(lang, state.run?.amount || state.prices[setup.currency] || 0, setup.currency);
    root.dataset.phase = done ? 'done' : running ? 'running' : 'ready';
    setText(lead, t(state.route.view === 'story' ? `story.${state.route.act}.lead` : 'lab.lead'));
    setText(find('h2', product), t(`product.${setup.sku}`));
    setText(find('strong', product), amount);
    fill(card, t('card'), setup.card, (id) => t(`card.${id}`), running || done);
    fill(currency, t('currency'), setup.currency, (id) => id.toLocaleUpperCase('en'), running || done);
    currency.hidden = state.route.view === 'story';
    setText(find('span', pay), running ? t('pay.busy') : done ? t(state.run?.verdict?.verdict === 'declined' ? 'pay.declined' : 'pay.done') : t('pay', { amount }));
    attr(pay, 'aria-disabled', running || done || state.health.phase !== 'ready');
    setText(tag, `…${shortTail(state.run?.key || state.key)}`);
    attr(tag, 'title', `Idempotency-Key: ${state.run?.key || state.key}`);
    attr(tag, 'data-tag', state.run?.key || state.key);
    tag.classList.toggle('same', state.tag !== '' && state.tag === (state.run?.key || state.key));
    habit.hidden = state.route.view !== 'lab' || state.run !== null;
    attr(habit, 'aria-label', t('pay.habit'));
    for (const option of habit.options) setText(option, t(`pay.habit.${option.value}`));
    habit.value = setup.pay ?? keyHabits[0];
    setText(find('span:last-child', keyLine), !habit.hidden ? '' : t(running ? 'pay.key.short' : 'pay.key'));
    setText(note, noteText(state));
    note.classList.toggle('quiet', state.refusal?.place !== 'pay');
    next.parentElement?.toggleAttribute('hidden', !done);
    setText(find('span', next), t(nextKey(state.route)));
  });
}

/** A person asked for the next order: the focus follows to its button. @param {import('../app.js').App} app */
export function goOn(app) {
  app.next();
  setTimeout(() => find('.pay').focus(), 60);
}

/** @param {import('../model/route.js').Route} route */
export function nextKey({ view, act }) {
  return view === 'story' ? acts[act - 1].next : 'again';
}

/** @param {import('../store.js').State} state */
function noteText({ words: { t }, refusal, health, run }) {
  if (refusal?.place === 'pay') {
    const { problem } = refusal;
    return t('refused.pay', { detail: [problem.field, problem.detail || problem.title].filter(Boolean).join(': ') || t('no.answer') });
  }
  if (run || health.phase === 'ready' || health.phase === 'loading') return '';
  const missing = health.parts.filter((part) => !part.ready).map((part) => t(`part.${part.name}`));
  return health.phase === 'gone' || missing.length === 0 ? t('pay.wait') : t('pay.missing', { parts: missing.join(', ') });
}

/** @param {string} name @param {string[]} values @param {(value: string) => void} choose */
function select(name, values, choose) {
  const id = `shop-${name}`;
  const node = h('select', { id, onchange: (/** @type {Event} */ e) => choose(/** @type {HTMLSelectElement} */ (e.target).value) },
    ...values.map((value) => h('option', { value })));
  return h('div.field', {}, h('label', { for: id }), node);
}

/** @param {HTMLElement} field @param {string} label @param {string} value @param {(id: string) => string} text @param {boolean} locked */
function fill(field, label, value, text, locked) {
  const node = /** @type {HTMLSelectElement} */ (find('select', field));
  setText(find('label', field), label);
  for (const option of node.options) setText(option, text(option.value));
  if (node.value !== value) node.value = value;
  node.disabled = locked;
}
