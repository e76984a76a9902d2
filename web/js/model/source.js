/**
 * The Go source of a strategy as the code pane shows it. Comments tell how it ends, so they stay folded until the run
 * is over.
 *
 * @typedef {{n: number, text: string, kind: 'code'|'comment'|'fold', words: Array<{text: string, kind: ''|'word'|'string'|'note'}>}} Line
 */

const token = /(\/\/.*$)|("(?:[^"\\]|\\.)*"|`[^`]*`)|\b(?:package|import|type|struct|interface|func|return|if|else|for|range|const|var|switch|case|default|defer|map)\b/g;

/** @param {string} source @param {boolean} open  comments too @returns {Line[]} */
export function linesOf(source, open) {
  /** @type {Line[]} */
  const lines = [];
  source.replace(/\n$/, '').split('\n').forEach((text, i) => {
    const comment = /^\s*\/\//.test(text);
    if (comment && !open) {
      if (lines.at(-1)?.kind !== 'fold') lines.push({ n: i + 1, text: '', kind: 'fold', words: [] });
      return;
    }
    const shown = open ? text : text.replace(/\s+\/\/.*$/, '');
    lines.push({ n: i + 1, text: shown, kind: comment ? 'comment' : 'code', words: wordsOf(shown) });
  });
  return lines;
}

/** @param {string} text @returns {Line['words']} */
function wordsOf(text) {
  /** @type {Line['words']} */
  const words = [];
  let at = 0;
  for (const match of text.matchAll(token)) {
    if (match.index > at) words.push({ text: text.slice(at, match.index), kind: '' });
    words.push({ text: match[0], kind: match[1] ? 'note' : match[2] ? 'string' : 'word' });
    at = match.index + match[0].length;
  }
  if (at < text.length) words.push({ text: text.slice(at), kind: '' });
  return words;
}
