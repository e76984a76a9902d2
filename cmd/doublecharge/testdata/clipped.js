// What a person could not read: text that is cut off by its box, stands outside the window, or makes the page scroll;
// and words that are missing.
(() => {
  const wrong = [];
  const root = document.documentElement;
  const { present, view } = document.body.dataset;
  const whole = present === 'true' || view === 'story' || view === 'lab' || view === 'run';
  if (root.scrollWidth > root.clientWidth + 1) wrong.push(`the page scrolls sideways: ${root.scrollWidth}`);
  if (whole && innerWidth >= 1280 && root.scrollHeight > root.clientHeight + 1) wrong.push(`the page scrolls: ${root.scrollHeight}`);

  const shown = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !node.closest('.vh, .say, [popover]:not(:popover-open), dialog:not([open])');
  const scroller = (node) => {
    while (node && !['auto', 'scroll'].includes(getComputedStyle(node).overflowX)) node = node.parentElement;
    return node;
  };
  const told = (node) => node.textContent.trim().replace(/\s+/g, ' ').slice(0, 60);
  const texts = 'button, a, label, p, span, td, th, h1, h2, h3, h4, dt, dd, legend, summary, li, strong, output, figcaption';
  for (const node of document.querySelectorAll(texts)) {
    const box = node.getBoundingClientRect();
    if (!box.width || !shown(node)) continue;
    const style = getComputedStyle(node);
    const cuts = ['hidden', 'clip'].includes(style.overflowX) || style.textOverflow === 'ellipsis';
    if (cuts && node.scrollWidth > node.clientWidth + 1) wrong.push(`cut off: ${told(node)}`);
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    const scrolls = scroller(node);
    if (own && !scrolls && (box.left < -1 || box.right > root.clientWidth + 1)) wrong.push(`outside: ${told(node)}`);
  }
  for (const label of document.querySelectorAll('.rows .label')) {
    const box = label.getBoundingClientRect();
    const frame = label.closest('.scroll')?.getBoundingClientRect();
    if (frame && box.width && (box.left < frame.left - 1 || box.right > frame.right + 1)) wrong.push(`diagram: ${told(label)}`);
  }
  for (const select of document.querySelectorAll('select')) {
    if (!shown(select) || innerWidth < 1024) continue; // On less room the choice is told in full beside its select.
    const ruler = document.createElement('span');
    ruler.style.font = getComputedStyle(select).font;
    ruler.style.position = 'absolute';
    ruler.textContent = select.selectedOptions[0]?.textContent ?? '';
    document.body.append(ruler);
    if (ruler.offsetWidth + 24 > select.clientWidth) wrong.push(`select: ${ruler.textContent}`);
    ruler.remove();
  }
  // A word that no language has stands there as its key. Steps and queues have names of that form too.
  const named = /^(worker|api|relay|mail|stripe|broker|database|redis|charge)\./;
  for (const node of document.querySelectorAll('body *')) {
    const text = node.childElementCount === 0 ? node.textContent.trim() : '';
    if (/^[a-z]+\.[a-z.-]+$/.test(text) && !named.test(text)) wrong.push(`no word for ${text}`);
  }
  return wrong;
})()
