/**
 * A beat is the unit of "next": question → guesses → run → pause at the crash → continue → verdict → answer → next step.
 * The first three and the answer are of the lesson, the others of the run that is watched on the stage.
 *
 * @typedef {'question'|'guesses'|'run'|'watch'|'answer'} Beat
 * @typedef {{beat: Beat, watch: number}} Place  watch is which of the step's runs is on the stage
 * @typedef {{hands: number, runs: number, playable: boolean, over: boolean}} Known
 *   hands raised; runs that can be watched; whether anything runs; whether it is over
 */

/** The beat after this one, or null when the next step comes. @param {Place} at @param {Known} known @returns {Place|null} */
export function following({ beat, watch }, known) {
  switch (beat) {
    case 'question': return known.hands > 0 ? at('guesses') : afterGuesses(known);
    case 'guesses': return afterGuesses(known);
    case 'run': return !known.over ? at('run') : known.runs > 0 ? at('watch') : at('answer');
    case 'watch': return watch + 1 < known.runs ? at('watch', watch + 1) : at('answer');
    default: return null;
  }
}

/** The beat before this one, or null when it is the step before. A run is not made again by going back. @param {Place} at @param {Known} known @returns {Place|null} */
export function previous({ beat, watch }, known) {
  const asked = at(known.hands > 0 ? 'guesses' : 'question');
  switch (beat) {
    case 'question': return null;
    case 'guesses': return at('question');
    case 'watch': return watch > 0 ? at('watch', watch - 1) : asked;
    case 'answer': return known.runs > 0 ? at('watch', known.runs - 1) : asked;
    default: return asked;
  }
}

/** @param {Known} known */
const afterGuesses = (known) => (!known.playable ? at('answer') : known.over && known.runs > 0 ? at('watch') : known.over ? at('answer') : at('run'));

/** @param {Beat} beat @param {number} [watch] @returns {Place} */
const at = (beat, watch = 0) => ({ beat, watch });

/**
 * What "next" does while a run is on the stage.
 * @param {{run: boolean, live: boolean, playing: boolean, at: number, halts: number[], length: number}} stage
 *   halts: rows at which it stops, for the playhead stands behind a crash; length: rows known so far
 * @returns {{do: 'begin'|'play'|'wait'|'onward'}|{do: 'seek', to: number}}
 */
export function stageNext({ run, live, playing, at: head, halts, length }) {
  if (!run) return { do: 'begin' };
  if (!playing && (head < length || live)) return { do: 'play' };
  if (head < length) return { do: 'seek', to: halts.find((row) => row > head) ?? length };
  return { do: live ? 'wait' : 'onward' };
}

/** What "back" does there: to the halt before, to the beginning, and out of it. @param {{at: number, halts: number[], run: boolean}} stage @returns {{do: 'leave'}|{do: 'seek', to: number}} */
export function stageBack({ run, at: head, halts }) {
  if (!run || head === 0) return { do: 'leave' };
  return { do: 'seek', to: [...halts].reverse().find((row) => row < head) ?? 0 };
}

/** Where a run stops by itself: behind each row that is a crash. @param {Array<{kind: string}>} rows */
export const haltsOf = (rows) => rows.flatMap((row, i) => (row.kind === 'crash' ? [i + 1] : []));
