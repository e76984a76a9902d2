/** Numbers, money, times and ids as people read them. The only place where an amount is divided. */

/** @type {Record<string, number>} */
const exponents = { jpy: 0, kwd: 3 };

/** @param {string} currency */
export const exponent = (currency) => exponents[currency] ?? 2;

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/**
 * @param {string} lang @param {number} minor  integer in minor units @param {string} currency  lower case
 */
export function money(lang, minor, currency) {
  const id = `${lang}/${currency}`;
  const digits = exponent(currency);
  let format = formats.get(id);
  if (!format) {
    format = new Intl.NumberFormat(lang, {
      style: 'currency', currency: currency.toUpperCase(), currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: digits, maximumFractionDigits: digits,
    });
    formats.set(id, format);
  }
  return format.format(minor / 10 ** digits);
}

/** @param {string} lang @param {number} value */
export const count = (lang, value) => new Intl.NumberFormat(lang).format(value);

/** @param {string} lang @param {string} at */
export function clock(lang, at) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  return date.toLocaleTimeString(lang, { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });
}

/** A day and a time: "30 November 2026 21:04". @param {string} lang @param {string} at */
export function dateTime(lang, at) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  const day = date.toLocaleDateString(lang === 'en' ? 'en-GB' : lang, { day: 'numeric', month: 'long', year: 'numeric' });
  return `${day} ${date.toLocaleTimeString(lang, { hour: '2-digit', minute: '2-digit', hour12: false })}`;
}

/**
 * Time since the run began, with milliseconds: "+0.412 s".
 * @param {string} lang @param {string} from @param {string} at
 */
export function since(lang, from, at) {
  const ms = new Date(at).getTime() - new Date(from).getTime();
  const seconds = new Intl.NumberFormat(lang, { minimumFractionDigits: 3, maximumFractionDigits: 3 }).format(ms / 1000);
  return `+${seconds}`;
}

/**
 * The last four characters: UUIDs of version 7 share their beginning. A known prefix is kept: "pi_…9f2c".
 * @param {string} id
 */
export function tail(id) {
  const prefix = /^([a-z]{2,5}_)/.exec(id)?.[1] ?? '';
  return id.length <= prefix.length + 4 ? id : `${prefix}…${id.slice(-4)}`;
}

/** @param {string} id */
export const shortTail = (id) => id.slice(-4);
