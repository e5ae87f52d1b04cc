import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const pages = globSync(['*.md', 'docs/**/*.md', 'sdk/**/*.md', 'deploy/**/*.md', 'web/**/*.md'], {
  cwd: root,
});

const read = (page: string): string => readFileSync(join(root, page), 'utf8');
const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$|`[^`\n]*`/gm, '');
const withoutBlocks = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '');

/** The anchors that a page has on GitHub: those of its headings, with a number where two are the same, and those that it writes. */
function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>();
  const headings = [...withoutBlocks(read(page)).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
    text
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
  const numbered = headings.map((heading) => {
    const times = seen.get(heading) ?? 0;
    seen.set(heading, times + 1);
    return times === 0 ? heading : `${heading}-${times}`;
  });
  const written = [...read(page).matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return new Set([...numbered, ...written]);
}

/** The links of a page that lead into the project. */
const linksOf = (page: string): string[] =>
  [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^(?:[a-z]+:|\/)/.test(link));

/** Why a link leads nowhere; null if its file and its heading exist. */
function faultOf(page: string, link: string): string | null {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, file))) return `${page}: ${link}: no such file`;
  if (anchor === undefined || !file.endsWith('.md') || anchorsOf(file).has(anchor)) return null;
  return `${page}: ${link}: no such heading`;
}

test('every link of a page leads to a file, and to a heading, that exists', () => {
  const faults = pages.flatMap((page) => linksOf(page).map((link) => faultOf(page, link)));
  expect(faults.length).toBeGreaterThan(500);
  expect(faults.filter((fault) => fault !== null)).toEqual([]);
});

test('every test file that a page names by its path exists', () => {
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/`((?:\w[\w-]*\/)+[\w.-]+\.(?:test|e2e|fault)\.tsx?)`/g)].map(
      ([, path = '']) => path,
    ),
  );
  expect(named.length).toBeGreaterThan(80);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
