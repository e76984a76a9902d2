import { setText } from '../lib/dom.js';

/**
 * Words on an arrow, and the room that it has for them. All of a drawing are measured together: a browser lays out
 * anew for every measure that follows a change.
 *
 * @typedef {object} Label
 * @property {HTMLElement} text
 * @property {number} from   where its lane stands
 * @property {number} to     where the arrow ends; the same lane for what happens inside a process
 * @property {number} width  of the drawing
 * @property {string} short  fewer words for the same, empty if there are none
 */

/** @param {Label} label */
const isLocal = ({ from, to }) => from === to;

/** @param {Label} label */
const roomOf = (label) => (isLocal(label) ? Math.max(label.width - label.from - 20, label.from - 20) : Math.abs(label.to - label.from) - 2);

/** An arrow too short for its words keeps its id: the words become shorter, then go. @param {Label[]} labels */
export function fitLabels(labels) {
  for (const { text } of labels) text.classList.remove('tight', 'flip');
  const long = tooLong(labels);
  for (const { text, short } of long) if (short) setText(text.children[0], short);
  for (const { text } of tooLong(long)) text.classList.toggle('tight', text.children.length > 1);
  const beyond = new Set(labels.filter((label) => isLocal(label) && label.from + 20 + label.text.offsetWidth > label.width));
  for (const label of labels) place(label, beyond.has(label));
}

/** @param {Label[]} labels */
const tooLong = (labels) => labels.filter((label) => label.text.offsetWidth > roomOf(label));

/** @param {Label} label @param {boolean} flip  to the other side of its lane */
function place(label, flip) {
  const { text, from, to } = label;
  text.classList.toggle('local', isLocal(label));
  text.classList.toggle('flip', flip);
  text.style.left = `${isLocal(label) ? from + (flip ? -16 : 16) : (from + to) / 2}px`;
}
