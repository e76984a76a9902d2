/**
 * Words. One catalogue a language and part, equal keys in both; a placeholder {name} never carries a suffix. The
 * part "" is there from the start, a view's own part comes with the view.
 */

/** @typedef {import('../types.js').Params} Params */
/** @typedef {Record<string, string>} Catalogue */
/** @typedef {{en: string, tr: string}} Text  what the server says in both languages */
/** @typedef {{lang: string, t: (key: string, params?: Params) => string, has: (key: string) => boolean, of: (text: Text|undefined) => string}} Words */

export const languages = ['en', 'tr'];

/** @param {string} text @param {Params} [params] */
export function fill(text, params = {}) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? String(params[name]) : whole));
}

/** @param {string} lang @param {Catalogue} catalogue @returns {Words} */
export function words(lang, catalogue) {
  return {
    lang,
    t: (key, params) => fill(catalogue[key] ?? key, params),
    has: (key) => key in catalogue,
    of: (text) => text?.[/** @type {'en'|'tr'} */ (lang)] ?? '',
  };
}

/**
 * lang= of the address, then the stored choice, then the browser's languages (tr* is Turkish, all else English).
 * @param {string} asked @param {string|null} stored @param {readonly string[]} preferred
 */
export function chooseLanguage(asked, stored, preferred) {
  if (languages.includes(asked)) return asked;
  if (stored && languages.includes(stored)) return stored;
  return preferred[0]?.toLowerCase().startsWith('tr') ? 'tr' : 'en';
}

/** The catalogues that are asked for, and what has come already. */
export class Library {
  /** @type {Map<string, Promise<Catalogue>>} */ #loaded = new Map();
  #parts = [''];

  /** @param {(file: string) => Promise<Catalogue>} read */
  constructor(read = readFile) { this.read = read; }

  /** From now on the part is in the words of every language. @param {string} part */
  want(part) {
    if (!this.#parts.includes(part)) this.#parts.push(part);
  }

  /** All wanted parts in a language. @param {string} lang @returns {Promise<Words>} */
  async words(lang) {
    const parts = await Promise.all(this.#parts.map((part) => this.#part(part ? `${part}.${lang}` : lang)));
    return words(lang, Object.assign({}, ...parts));
  }

  /** @param {string} file */
  #part(file) {
    const known = this.#loaded.get(file);
    if (known) return known;
    const coming = this.read(file);
    this.#loaded.set(file, coming);
    coming.catch(() => this.#loaded.delete(file));
    return coming;
  }
}

/** @param {string} file @returns {Promise<Catalogue>} */
async function readFile(file) {
  const answer = await fetch(`i18n/${file}.json`);
  if (!answer.ok) throw new Error(`i18n/${file}.json: ${answer.status}`);
  return answer.json();
}
