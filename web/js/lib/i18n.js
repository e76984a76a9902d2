/** Words. One catalogue a language, equal keys in both; a placeholder {name} never carries a suffix. */

/** @typedef {import('../types.js').Params} Params */
/** @typedef {Record<string, string>} Catalogue */
/** @typedef {{lang: string, t: (key: string, params?: Params) => string, has: (key: string) => boolean}} Words */

export const languages = ['en', 'tr'];

/** @param {string} text @param {Params} [params] */
export function fill(text, params = {}) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? String(params[name]) : whole));
}

/** @param {string} lang @param {Catalogue} catalogue @returns {Words} */
export function words(lang, catalogue) {
  return { lang, t: (key, params) => fill(catalogue[key] ?? key, params), has: (key) => key in catalogue };
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

/** @type {Map<string, Words>} */
const loaded = new Map();

/** @param {string} lang @returns {Promise<Words>} */
export async function load(lang) {
  const known = loaded.get(lang);
  if (known) return known;
  const answer = await fetch(`i18n/${lang}.json`);
  if (!answer.ok) throw new Error(`i18n/${lang}.json: ${answer.status}`);
  const made = words(lang, await answer.json());
  loaded.set(lang, made);
  return made;
}
