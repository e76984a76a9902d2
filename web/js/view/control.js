import { attr, find, h, list, place, setText } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { grouped, ladder, strategyOf } from '../model/catalogue.js';
import { formatRoute } from '../model/route.js';
import { faultPicker } from './picker.js';
import { runsMenu } from './runs.js';
import { faultText } from './tell.js';

/** Strategy ladder, armed fault, start over. @param {HTMLElement} root @param {import('../app.js').App} app */
export function mountControl(root, app) {
  const act = h('p.act');
  const strategy = strategyLadder(app);
  const edit = h('button.plain.edit', { type: 'button', onclick: () => {
    const { setup, route } = app.state;
    location.hash = formatRoute({ ...route, view: 'lab', strategy: setup.strategy, fault: setup.fault, run: '' });
  } });
  const chip = h('button.chip', { type: 'button', popovertarget: 'fault-picker' }, icon('bolt'), h('span'));
  const disarm = h('button.plain', { type: 'button', onclick: () => { app.choose({ fault: null }); chip.focus(); } });
  // On a table that has just been cleared there is nothing to clear: the same button takes it back.
  const undoable = () => app.state.undo !== '' && app.state.run === null && app.state.reset === 'idle';
  const reset = h('button.plain.reset', { type: 'button', onclick: () => {
    if (undoable()) location.hash = `#/run/${app.state.undo}`;
    else void app.reset();
  } });
  const refusal = h('p.refusal', { hidden: true });
  const take = h('button.plain', { type: 'button', onclick: () => app.choose({ strategy: app.state.elsewhere }) });
  const elsewhere = h('p.elsewhere', {}, h('span'), take);
  root.append(act, strategy, edit, h('div.fault', {}, chip, disarm), faultPicker(app, chip), h('span.grow'), ...runsMenu(app), reset, refusal, elsewhere);

  app.store.add((state, scene) => {
    const { t } = state.words;
    const { setup, route } = state;
    const story = route.view === 'story';
    setText(act, story ? t('act', { n: route.act }) : t(`view.${route.view}`));
    edit.hidden = !story;
    setText(edit, t('control.edit'));
    const now = sameFault(setup.fault, scene.setup.fault) ? scene.fault : undefined;
    setText(find('span', chip), faultText(state.words, setup.fault, now));
    chip.classList.toggle('armed', setup.fault !== null && now?.state !== 'silent');
    attr(chip, 'title', t('fault.change'));
    disarm.hidden = setup.fault === null || story || now?.state === 'armed' || now?.state === 'fired';
    setText(disarm, t('fault.disarm'));
    setText(reset, t(undoable() ? 'reset.undo' : state.reset === 'asking' ? 'reset.sure' : state.reset === 'going' ? 'reset.going' : 'reset'));
    attr(reset, 'title', undoable() ? t('reset.undo.title') : null);
    attr(reset, 'aria-disabled', state.reset === 'going' || state.health.phase === 'booting');
    elsewhere.hidden = state.elsewhere === '' || route.view !== 'lab';
    setText(elsewhere.children[0], t('elsewhere', { strategy: state.words.of(strategyOf(state.strategies, state.elsewhere).title) }));
    setText(take, t('elsewhere.take'));
    const said = state.refusal && ['setup', 'reset'].includes(state.refusal.place) ? state.refusal.problem : null;
    refusal.hidden = !said;
    if (said) setText(refusal, t(`refused.${state.refusal?.place}`, { detail: said.detail || said.title || t('no.answer') }));
  });
}

/** @param {import('../types.js').Fault|null} a @param {import('../types.js').Fault|null} b */
const sameFault = (a, b) => a?.point === b?.point && a?.action === b?.action && a?.times === b?.times && (a?.skip ?? 0) === (b?.skip ?? 0);

/** The five rungs, and all the others behind "More". In the Story it is text. @param {import('../app.js').App} app */
function strategyLadder(app) {
  const rungs = ladder.map((id) => h('label', {},
    h('input.vh', { type: 'radio', name: 'strategy', value: id, onchange: () => app.choose({ strategy: id }) }), h('span')));
  const menu = h('div.popover.more-menu', { id: 'more-strategies', popover: 'auto' });
  const more = h('button.more', { type: 'button', popovertarget: 'more-strategies' }, h('span'));
  const story = h('p.rungs', {}, ...ladder.map((id) => h('span', { 'data-id': id })));
  const set = h('fieldset.segments', {}, h('legend.vh'), ...rungs, more);
  menu.addEventListener('toggle', () => { if (menu.matches(':popover-open')) place(menu, more); });

  app.store.add(({ words: { t, of }, strategies, setup, route, run }) => {
    const used = run && route.view === 'run' ? run.setup.strategy : setup.strategy;
    const reads = route.view !== 'lab';
    set.hidden = reads;
    story.hidden = !reads;
    setText(find('legend', set), t('strategy'));
    const others = grouped(strategies);
    rungs.forEach((rung, i) => {
      const input = /** @type {HTMLInputElement} */ (find('input', rung));
      input.checked = input.value === setup.strategy;
      const { title } = strategyOf(strategies, input.value);
      setText(find('span', rung), of(title));
      setText(story.children[i], of(title));
      attr(story.children[i], 'aria-current', input.value === used ? 'true' : null);
    });
    const chosen = ladder.includes(setup.strategy) ? '' : of(strategyOf(strategies, setup.strategy).title);
    setText(find('span', more), chosen || t('strategy.more', { n: others.reduce((n, g) => n + g.ids.length, 0) }));
    attr(more, 'aria-pressed', String(chosen !== ''));
    fillMenu(menu, others, app);
  });
  return h('div.ladder', {}, set, menu, story);
}

/** @param {HTMLElement} menu @param {Array<{name: string, ids: string[]}>} others @param {import('../app.js').App} app */
function fillMenu(menu, others, app) {
  const { words: { t, of }, strategies, setup } = app.state;
  list(menu, others, (group) => group.name, () => h('section', {}, h('h3'), h('div')), (node, group) => {
    setText(find('h3', node), t(`strategy.group.${group.name}`));
    list(find('div', node), group.ids, (id) => id, (id) => h('button.choice', {
      type: 'button', onclick: () => { app.choose({ strategy: id }); menu.hidePopover(); },
    }, h('strong'), h('span')), (button, id) => {
      const { title, summary } = strategyOf(strategies, id);
      setText(find('strong', button), of(title));
      setText(find('span', button), of(summary));
      attr(button, 'aria-pressed', String(id === setup.strategy));
    });
  });
}
