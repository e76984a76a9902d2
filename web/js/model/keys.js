/**
 * What a key does. One table, for a keyboard and for a clicker, which sends PageUp, PageDown, "." and F5. F5 is left
 * to the browser: the page comes back in the same place.
 *
 * @typedef {{key: string, ctrlKey?: boolean, altKey?: boolean, metaKey?: boolean, shiftKey?: boolean, repeat?: boolean, defaultPrevented?: boolean}} KeyLike
 * @typedef {object} Context
 * @property {boolean} on  presenter mode, or switched on in Help
 * @property {'field'|'button'|'stage'|''} focus  what has it: a field keeps every key, a button its Space and Enter
 * @property {number} choices  of the question on the screen: their letters come before those of the table
 * @property {boolean} [open]  a help or a blank screen covers the page
 */

/** @type {Record<string, string>} */
const table = {
  arrowright: 'next', pagedown: 'next', ' ': 'next',
  arrowleft: 'back', pageup: 'back',
  enter: 'run', c: 'crash', r: 'reset', b: 'blank', '.': 'blank', k: 'code', t: 'table', w: 'window', g: 'totals',
  f: 'full', '?': 'help', escape: 'close', '+': 'more', '-': 'fewer',
};

/** A key that is held down goes on doing these; anything else once. */
const repeats = new Set(['more', 'fewer']);

/** While the page is covered only these do what they say. Next uncovers it: nobody runs what nobody sees. */
const whileOpen = new Set(['blank', 'help', 'close', 'full']);

/**
 * @param {KeyLike} event @param {Context} context
 * @returns {string}  an action; "step:3" the third step of the lesson, "choose:0" and "drop:0" a hand for the first choice; "" for none
 */
export function actionOf(event, context) {
  const { on, focus, open = false } = context;
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return '';
  if (open && event.key === 'Escape') return 'close';
  if (!on || focus === 'field') return '';
  const action = named(event, context);
  if (event.repeat && !repeats.has(action)) return '';
  if (open && !whileOpen.has(action)) return action === 'next' || action === 'back' ? 'close' : '';
  return action;
}

/** @param {KeyLike} event @param {Context} context */
function named(event, { focus, choices }) {
  const key = event.key.toLocaleLowerCase('en');
  if (focus === 'button' && (key === ' ' || key === 'enter')) return '';
  const letter = key.length === 1 ? key.charCodeAt(0) - 97 : -1;
  if (letter >= 0 && letter < choices) return `${event.shiftKey ? 'drop' : 'choose'}:${letter}`;
  if (/^[1-9]$/.test(key)) return `step:${key}`;
  if (key === 'enter' && focus !== 'stage') return '';
  return Object.hasOwn(table, key) ? table[key] : '';
}

/** The keys as the help lists them: what is pressed, and the action whose words stand beside it. @type {Array<{keys: string[], action: string}>} */
export const help = [
  { keys: ['→', 'PageDown', 'Space'], action: 'next' },
  { keys: ['←', 'PageUp'], action: 'back' },
  { keys: ['Enter'], action: 'run' },
  { keys: ['A', 'B', 'C', 'D'], action: 'choose' },
  { keys: ['Shift + A'], action: 'drop' },
  { keys: ['+', '-'], action: 'more' },
  { keys: ['G'], action: 'totals' },
  { keys: ['C'], action: 'crash' },
  { keys: ['R'], action: 'reset' },
  { keys: ['1 – 9'], action: 'step' },
  { keys: ['B', '.'], action: 'blank' },
  { keys: ['K'], action: 'code' },
  { keys: ['T'], action: 'table' },
  { keys: ['W'], action: 'window' },
  { keys: ['F'], action: 'full' },
  { keys: ['F5'], action: 'reload' },
  { keys: ['?'], action: 'help' },
  { keys: ['Esc'], action: 'close' },
];
