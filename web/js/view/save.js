import { attr, h, place, setText } from '../lib/dom.js';

/** @type {Array<import('../export/save.js').Format>} */
const formats = ['html', 'svg', 'json'];

/** Saves the run on the stage. What it takes to do so is loaded by the press. @param {import('../app.js').App} app */
export function saveMenu(app) {
  const open = h('button.plain.save', { type: 'button', popovertarget: 'save-menu' });
  const choices = formats.map((format) => h('button.choice', { type: 'button', 'data-format': format, onclick: async () => {
    menu.hidePopover();
    const { save } = await import('../export/save.js');
    await save(app, format);
  } }, h('strong'), h('span')));
  const menu = h('div.popover.save-menu', { id: 'save-menu', popover: 'auto' }, ...choices);
  menu.addEventListener('toggle', () => { if (menu.matches(':popover-open')) place(menu, open); });
  app.store.add(({ words: { t }, run }, scene) => {
    open.hidden = !scene.settled || run?.record?.source === 'boot' || app.offline;
    setText(open, t('save'));
    attr(open, 'title', t('save.title'));
    choices.forEach((choice, i) => {
      setText(choice.children[0], t(`save.${formats[i]}`));
      setText(choice.children[1], t(`save.${formats[i]}.what`));
    });
  });
  return [open, menu];
}
