/**
 * Which rows of a long list are in the document: those in sight and some around them.
 * @param {{count: number, height: number, top: number, view: number}} list  heights and scroll position in pixels
 * @returns {{first: number, last: number}}  last is one past the end
 */
export function sliceOf({ count, height, top, view }) {
  if (count <= 150) return { first: 0, last: count };
  const around = 12;
  const first = Math.max(0, Math.floor(top / height) - around);
  return { first, last: Math.min(count, Math.ceil((top + view) / height) + around) };
}
