import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeServer } from './fake-server.mjs';
import { files, read } from './helpers.mjs';

test('nothing is inserted as markup, and no style is written into it', async () => {
  for (const file of [...await files('js', '.js'), 'index.html']) {
    const text = await read(file);
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function/, file);
    assert.doesNotMatch(text, /\sstyle=|setAttribute\('style'|<script>|\son\w+="/, file);
  }
});

test('models know nothing of the browser', async () => {
  for (const file of await files('js/model', '.js')) {
    assert.doesNotMatch(await read(file), /\b(document|window|fetch|localStorage|sessionStorage|location)\b[.(]/, file);
  }
});

test('styles: no upper case, nothing under 14 px, files short enough to read', async () => {
  for (const file of await files('css', '.css')) {
    const text = await read(file);
    assert.doesNotMatch(text, /text-transform/, file);
    for (const [size, px] of text.matchAll(/(?<=font[^;]*?)\b(\d+)px(?=\/)/g)) assert.ok(Number(px) >= 14, `${file}: ${size}`);
  }
  for (const file of [...await files('js', '.js'), ...await files('css', '.css')]) {
    assert.ok((await read(file)).split('\n').length <= 250, file);
  }
});

/** @param {string} hex */
function luminance(hex) {
  const channels = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
  const [r, g, b] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {string} a @param {string} b */
function contrast(a, b) {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

test('contrast of every token pair, in both themes', async () => {
  const css = await read('css/tokens.css');
  const [light, dark] = css.split(':root[data-theme="dark"]').map((block) => Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9A-F]{6})/g)].map((m) => [m[1], m[2]])));
  for (const theme of [light, dark]) {
    for (const ground of ['bg', 'surface', 'sunken']) {
      for (const ink of ['text', 'text-2', 'text-3', 'accent', 'bad', 'ok', 'warn', 'unk', 'replay']) {
        assert.ok(contrast(theme[ink], theme[ground]) >= 4.5, `${ink} on ${ground}`);
      }
      for (const shape of ['edge', 'ghost', 'window', 'focus']) assert.ok(contrast(theme[shape], theme[ground]) >= 3, `${shape} on ${ground}`);
    }
    for (const own of ['bad', 'ok', 'warn', 'unk', 'replay']) {
      for (const ink of [own, 'text', 'text-2']) assert.ok(contrast(theme[ink], theme[`${own}-bg`]) >= 4.5, `${ink} on ${own}-bg`);
    }
    assert.ok(contrast(theme['on-accent'], theme.accent) >= 4.5);
  }
});

test('the fake server serves the page with its policy, keeps keys, and opening it changes nothing', async () => {
  const { server, calls } = fakeServer({ speed: 1 });
  await new Promise((done) => { server.listen(0, '127.0.0.1', () => done(undefined)); });
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  const base = `http://127.0.0.1:${address.port}`;
  const page = await fetch(`${base}/`);
  assert.match(page.headers.get('Content-Security-Policy') ?? '', /default-src 'none'; script-src 'self'/);
  assert.equal((await fetch(`${base}/js/main.js`)).status, 200);
  assert.deepEqual(calls, []);
  const body = JSON.stringify({ currency: 'try', items: [{ sku: 'filter-coffee', quantity: 1 }], payment_method: 'pm_card_visa' });
  const buy = () => fetch(`${base}/v1/checkouts`, { method: 'POST', body, headers: { 'Idempotency-Key': 'k' } });
  const first = await (await buy()).json();
  const again = await buy();
  assert.equal(again.headers.get('Idempotent-Replayed'), 'true');
  assert.equal((await again.json()).id, first.id);
  server.closeAllConnections();
  server.close();
});
