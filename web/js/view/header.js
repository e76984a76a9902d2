import { h, list, setText, attr, find } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { languages } from '../lib/i18n.js';
import { clock } from '../lib/format.js';
import { formatRoute } from '../model/route.js';

/** The bar at the top: health of the lab, which bank, language and theme. @param {HTMLElement} root @param {import('../app.js').App} app */
export function mountHeader(root, app) {
  const health = h('button.pill.health', { type: 'button', popovertarget: 'processes' }, h('span.dot', { 'aria-hidden': 'true' }), h('span'));
  const bank = h('span.pill', {}, icon('square'), h('span'));
  const langs = languages.map((lang) => h('button', {
    type: 'button', lang, onclick: () => void app.setLanguage(lang),
  'aria-label': lang === 'en' ? 'EN, English' : 'TR, Türkçe',
  }, lang === 'en' ? 'EN' : 'TR'));
  const langBox = h('div.segments', { role: 'group' }, ...langs);
  const theme = h('button.square', { type: 'button', onclick: () => app.setTheme(app.state.theme === 'dark' ? 'light' : 'dark') });
  const popover = processList();
  popover.addEventListener('toggle', () => { if (popover.matches(':popover-open')) void app.refreshLab(); });
  const title = h('p.name', { 'aria-hidden': 'true' }, 'Double Charge Lab');
  const links = ['story', 'lab', 'compare', 'matrix', 'explore', 'lessons'].map((name) => h('a', { 'data-view': name }));
  const nav = h('nav.links', {}, ...links);
  const present = h('button.plain.present', { type: 'button', onclick: () => app.present(!app.state.route.present) });
  root.append(title, health, popover, bank, h('span.grow'), nav, present, langBox, theme);
  let drawn = '';

  app.store.add((state) => {
    const { t, lang } = state.words;
    setText(find('span:last-child', health), healthText(state));
    health.dataset.phase = state.health.phase;
    attr(health, 'aria-label', `${t('health.label')}: ${healthText(state)}`);
    setText(find('span', bank), t(`bank.${state.lab?.stripe?.mode === 'test' ? 'test' : 'emulator'}`));
    bank.classList.toggle('solid', state.lab?.stripe?.mode === 'test');
    bank.hidden = !state.lab;
    attr(nav, 'aria-label', t('views'));
    for (const link of links) {
      const view = /** @type {import('../model/route.js').View} */ (link.dataset.view);
      setText(link, t(`view.${view}`));
      attr(link, 'href', formatRoute(view === 'lab' ? { view, strategy: state.setup.strategy, fault: state.setup.fault } : { view }));
      attr(link, 'aria-current', view === state.route.view ? 'page' : null);
    }
    setText(present, t('present'));
    attr(langBox, 'aria-label', t('language'));
    langs.forEach((button, i) => attr(button, 'aria-pressed', String(languages[i] === lang)));
    if (drawn !== state.theme) theme.replaceChildren(icon(state.theme === 'dark' ? 'sun' : 'moon'));
    drawn = state.theme;
    attr(theme, 'aria-label', t(state.theme === 'dark' ? 'theme.light' : 'theme.dark'));
    attr(theme, 'title', t(state.theme === 'dark' ? 'theme.light' : 'theme.dark'));
    fillProcesses(popover, state);
  });
}

/** @param {import('../store.js').State} state */
function healthText({ words: { t }, health }) {
  const missing = health.parts.filter((p) => !p.ready).map((p) => t(`part.${p.name}`)).join(', ');
  return health.phase === 'missing' && missing ? t('health.missing', { parts: missing }) : t(`health.${health.phase}`);
}

function processList() {
  return h('div.popover', { id: 'processes', popover: 'auto' }, h('h2'), h('table', {},
    h('thead', {}, h('tr', {}, ...['role', 'start', 'pid', 'restarts'].map((c) => h('th', { scope: 'col', 'data-col': c })))),
    h('tbody')), h('p'));
}

/** @param {HTMLElement} popover @param {import('../store.js').State} state */
function fillProcesses(popover, { words: { t, lang }, lab }) {
  setText(find('h2', popover), t('processes'));
  for (const th of popover.querySelectorAll('th')) setText(th, t(`processes.${th.dataset.col}`));
  list(find('tbody', popover), lab?.processes ?? [], (p) => `${p.role}/${p.number}`, () => h('tr', {},
    h('td'), h('td.num'), h('td.num'), h('td.num')), (row, p) => {
    const cells = [`${p.role} ${p.number}`, p.start, p.pid, p.restarts ?? 0];
    cells.forEach((cell, i) => setText(row.children[i], String(cell)));
  });
  setText(find('p', popover), lab ? `${t('version', { version: lab.version || '–' })} · ${clock(lang, new Date().toISOString())}` : t('processes.none'));
}
