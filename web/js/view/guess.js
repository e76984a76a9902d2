import { find, h, setText } from '../lib/dom.js';

/** The question before the run; one line afterwards. It never blocks Pay. @param {HTMLElement} root @param {import('../app.js').App} app */
export function mountGuess(root, app) {
  const choices = [0, 1, 2].map((n) => h('label', {},
    h('input.vh', { type: 'radio', name: 'guess', value: String(n), onchange: () => app.guess(n) }), h('span', {}, String(n))));
  const form = h('fieldset.card.guess', {}, h('legend'), h('div.choices', {}, ...choices));
  const mine = h('p.mine', { hidden: true });
  root.append(form, mine);

  app.store.add((state, scene) => {
    const { t } = state.words;
    const guess = state.guesses[state.route.act];
    setText(find('legend', form), t('predict.question'));
    for (const input of form.querySelectorAll('input')) input.checked = Number(input.value) === guess;
    form.hidden = state.run !== null;
    mine.hidden = state.run === null || guess === undefined;
    setText(mine, guess === undefined ? '' : scene.headline && !['pending', 'unknown'].includes(scene.verdict?.verdict ?? '')
      ? t('predict.answer', { n: guess, m: scene.headline.money.n }) : t('predict.mine', { n: guess }));
  });
}
