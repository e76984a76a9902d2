/** Numbers, money, times and ids as people read them. The only place where an amount is divided. */

/** @type {Record<string, number>} */
const exponents = { jpy: 0, kwd: 3 };

/** @param {string} currency */
const exponent = (currency) => exponents[currency] ?? 2;

/** A format is dear to make and cheap to use. @type {Map<string, Intl.NumberFormat|Intl.DateTimeFormat>} */
const formats = new Map();

/**
 * @template {Intl.NumberFormat|Intl.DateTimeFormat} F
 * @param {string} id  of the format, with its language @param {() => F} make @returns {F}
 */
function kept(id, make) {
  const format = formats.get(id) ?? make();
  formats.set(id, format);
  return /** @type {F} */ (format);
}

/**
 * @param {string} lang @param {number} minor  integer in minor units @param {string} currency  lower case
 */
export function money(lang, minor, currency) {
  const digits = exponent(currency);
  const format = kept(`${lang}/${currency}`, () => new Intl.NumberFormat(lang, {
    style: 'currency', currency: currency.toUpperCase(), currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits, maximumFractionDigits: digits,
  }));
  return format.format(minor / 10 ** digits);
}

/** @param {string} lang @param {number} value */
export const count = (lang, value) => kept(`${lang}/count`, () => new Intl.NumberFormat(lang)).format(value);

/** @param {string} lang @param {string} at */
export const clock = (lang, at) => when(lang, at, 'clock', { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });

/** A day and a time: "30 November 2026 21:04". @param {string} lang @param {string} at */
export const dateTime = (lang, at) => [
  when(lang === 'en' ? 'en-GB' : lang, at, 'day', { day: 'numeric', month: 'long', year: 'numeric' }),
  when(lang, at, 'minute', { hour: '2-digit', minute: '2-digit', hour12: false }),
].join(' ').trim();

/** @param {string} lang @param {string} at @param {string} name @param {Intl.DateTimeFormatOptions} options  empty for what is no time */
function when(lang, at, name, options) {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : kept(`${lang}/${name}`, () => new Intl.DateTimeFormat(lang, options)).format(date);
}

/**
 * Time since the run began, with milliseconds: "+0.412 s".
 * @param {string} lang @param {string} from @param {string} at
 */
export function since(lang, from, at) {
  const ms = new Date(at).getTime() - new Date(from).getTime();
  const format = kept(`${lang}/since`, () => new Intl.NumberFormat(lang, { minimumFractionDigits: 3, maximumFractionDigits: 3 }));
  return `+${format.format(ms / 1000)}`;
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
