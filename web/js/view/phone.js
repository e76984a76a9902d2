import { attr, find, h, list, setText } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { clock, money } from '../lib/format.js';

/** Ayşe's phone: a notice for every charge at the bank, the receipt, and what she writes. @param {HTMLElement} root @param {import('../app.js').App} app */
export function mountPhone(root, app) {
  const title = h('h2');
  const items = h('ol.notices');
  const silent = h('p.silent');
  root.append(h('div.phone', {}, title, silent, items));

  app.store.add((state, scene) => {
    const { t, lang } = state.words;
    root.hidden = state.run === null;
    setText(title, t('phone'));
    setText(silent, t('phone.silent'));
    silent.hidden = scene.notices.length > 0;
    const before = items.childElementCount;
    const times = scene.notices.filter((notice) => notice.kind === 'bank').length;
    list(items, scene.notices, (notice, i) => `${notice.kind}/${i}`, (notice) => h(`li.notice.${notice.kind}`, {},
      icon({ bank: 'card', declined: 'card', mail: 'mail', customer: 'speech' }[notice.kind]), h('p')),
    (node, notice) => {
      const amount = money(lang, notice.amount, notice.currency || 'try');
      setText(find('p', node), t(notice.kind === 'customer' && times > 2 ? 'customer.says.many' : keys[notice.kind], { n: times, bank: t('bank.name'), amount, last4: notice.last4 }));
      attr(node, 'title', notice.at ? clock(lang, notice.at) : null);
    });
    if (items.childElementCount > before) root.scrollTop = root.scrollHeight;
  });
}

const keys = { bank: 'phone.alert', declined: 'phone.declined', mail: 'phone.receipt', customer: 'customer.says' };
