import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/**
 * `node tools/picture-pairs.ts BEFORE AFTER` writes AFTER/index.html, one page with each screen of `npm run screenshots`
 * before and after a change: a row for each screen, theme and width. Screens that one of the folders lacks stand alone.
 */

/** The rows of the page: the screens in the order of their names, the wide pictures before the narrow ones. */
function rowsOf(before: string, after: string): string {
  const names = new Set([before, after].flatMap((folder) => readdirSync(folder)));
  const pictures = [...names].filter((name) => name.endsWith('.png')).sort();
  const shown = (folder: string, name: string) =>
    existsSync(join(folder, name))
      ? `<img loading="lazy" src="${encodeURI(relative(after, join(folder, name)))}" alt="${name}">`
      : '<p>no picture</p>';
  return pictures
    .map((name) => `<h2>${name}</h2><div>${shown(before, name)}${shown(after, name)}</div>`)
    .join('\n');
}

const [before, after] = process.argv.slice(2).map((folder) => resolve(folder));
if (before === undefined || after === undefined) {
  console.error('node tools/picture-pairs.ts BEFORE AFTER');
  process.exitCode = 2;
} else {
  const style =
    'body{font:14px system-ui;margin:16px}div{display:grid;grid-template-columns:1fr 1fr;gap:16px;align-items:start}img{max-width:100%;border:1px solid #ccc}';
  const page = `<!doctype html><meta charset="utf-8"><title>Before and after</title><style>${style}</style>\n${rowsOf(before, after)}\n`;
  writeFileSync(join(after, 'index.html'), page);
  console.log(join(after, 'index.html'));
}
