import { svg } from './dom.js';

/** Icons as paths on a 20 × 20 grid, drawn with the colour of the text. @type {Record<string, string>} */
const paths = {
  first: 'M5 4v12M16 4.5v11L8 10z',
  back: 'M14 4.5v11L6 10z',
  play: 'M6 4v12l10-6z',
  pause: 'M7 4v12M13 4v12',
  forward: 'M6 4.5v11l8-5.5z',
  last: 'M15 4v12M4 4.5v11L12 10z',
  sun: 'M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M4 16l1.4-1.4M14.6 5.4 16 4',
  moon: 'M16.5 12.5A7 7 0 0 1 7.5 3.5a7 7 0 1 0 9 9z',
  bank: 'M2.5 8 10 3l7.5 5M4 8v7M8 8v7M12 8v7M16 8v7M2.5 16.5h15',
  mail: 'M2.5 4.5h15v11h-15zM2.5 5.5 10 11l7.5-5.5',
  speech: 'M3 4h14v9H9l-4 3.5V13H3z',
  card: 'M2.5 4.5h15v11h-15zM2.5 8.5h15',
  bolt: 'M11.5 2 5 11h4.5L8.5 18 15 9h-4.5z',
  cup: 'M4 7h10v5a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4zM14 8h1.5a2 2 0 0 1 0 4H14M7 2.5v2M11 2.5v2',
  arrow: 'M4 10h11M10.5 5 15.5 10l-5 5',
  again: 'M15.5 7A6.5 6.5 0 1 0 16.5 11M16 3v4.5h-4.5',
  square: 'M4 4h12v12H4z',
  shop: 'M3 8h14l-1.5-4.5h-11zM4.5 8v8.5h11V8M8 16.5v-5h4v5',
  queue: 'M3 5h14v10H3zM7.5 5v10M12 5v10',
  worker: 'M10 6.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4M10 2.5v2.2M10 15.3v2.2M2.5 10h2.2M15.3 10h2.2M4.7 4.7l1.5 1.5M13.8 13.8l1.5 1.5M4.7 15.3l1.5-1.5M13.8 6.2l1.5-1.5',
  ledger: 'M4.5 3h10a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1h-10zM7.5 3v14M10 7h3M10 10h3',
  api: 'M6.5 5 2 10l4.5 5M13.5 5 18 10l-4.5 5',
  relay: 'M3 7h12l-3-3M17 13H5l3 3',
  mailer: 'M2.5 4.5h15v11h-15zM2.5 5.5 10 11l7.5-5.5',
};

const filled = new Set(['first', 'back', 'play', 'forward', 'last']);

/** @param {string} name */
export function icon(name) {
  return svg('svg', {
    class: filled.has(name) ? 'icon filled' : 'icon', viewBox: '0 0 20 20', 'aria-hidden': 'true', focusable: 'false',
  }, svg('path', { d: paths[name] ?? paths.square }));
}
