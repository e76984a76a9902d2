/**
 * The page and one run in one file that opens from a disk with the network off: modules become data: addresses of an
 * import map, styles and words stand in the file.
 *
 * @typedef {import('../packed.js').Packed} Packed
 */

const policy = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** @param {Packed} content @param {(path: string) => Promise<string>} read  a file of the page @returns {Promise<string>} */
export async function packPage(content, read) {
  const index = await read('index.html');
  const styles = [...index.matchAll(/<link rel="stylesheet" href="([^"]+)">/g)].map(([, path]) => path);
  const css = await Promise.all(styles.map(read));
  const modules = await modulesOf('js/main.js', read);
  const imports = Object.fromEntries([...modules].map(([path, text]) => [bare(path), `data:text/javascript;charset=utf-8,${encodeURIComponent(text)}`]));
  return index
    .replace(/ *<link rel="stylesheet"[^>]*>\n/g, '')
    .replace(/ *<script type="module"[^>]*><\/script>\n/, '')
    .replace('<meta charset="utf-8">', () => `<meta charset="utf-8">\n  <meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace('</head>', () => `  <style>\n${css.join('\n')}\n  </style>\n${script('importmap', '', JSON.stringify({ imports }))}</head>`)
    .replace('</body>', () => `${script('application/json', 'packed', JSON.stringify(content))}${script('module', '', `import '${bare('js/main.js')}';`)}</body>`);
}

/** What is inside can close no tag: every < is written as an escape, which JSON and the module both allow. @param {string} type @param {string} id @param {string} text */
const script = (type, id, text) => `  <script type="${type}"${id ? ` id="${id}"` : ''}>${text.replaceAll('<', '\\u003c')}</script>\n`;

/** @param {string} path */
const bare = (path) => `lab/${path}`;

/**
 * A module and all that it imports, with names that an import map can resolve. What is loaded later, the views beside
 * the stage, stays out.
 * @param {string} first @param {(path: string) => Promise<string>} read @returns {Promise<Map<string, string>>}
 */
async function modulesOf(first, read) {
  /** @type {Map<string, string>} */
  const found = new Map();
  /** @param {string} path */
  const visit = async (path) => {
    if (found.has(path)) return;
    found.set(path, '');
    const text = await read(path);
    /** @type {string[]} */
    const wanted = [];
    const named = text.replace(/(\bfrom |^import )'(\.[^']+)'/gm, (_, before, to) => {
      const target = new URL(to, `file:///${path}`).pathname.slice(1);
      wanted.push(target);
      return `${before}'${bare(target)}'`;
    });
    found.set(path, named);
    await Promise.all(wanted.map(visit));
  };
  await visit(first);
  return found;
}
