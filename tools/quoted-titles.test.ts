import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { testTitles } from './requirements.mjs';

const root = join(import.meta.dirname, '..');
const tests = globSync(['{contract,server,web,test,ops,tools}/**/*.test.{ts,tsx}', 'e2e/**/*.e2e.ts'], {
  cwd: root,
});

/**
 * A test file in backticks, followed by titles in quotation marks. '…' in a title stands for a value from a table of
 * tests.
 */
const quotation = /`([\w./-]+\.(?:test|e2e)\.tsx?)`((?:[:,;]?(?: and)? "[^"]+")+)/g;

/** Documentation may shorten a path to its file name, and a title to a part of it. */
const isTitleOf = (file: string, quoted: string): boolean =>
  tests
    .filter((path) => path === file || basename(path) === file)
    .some((path) => {
      const titles = testTitles(readFileSync(join(root, path), 'utf8'));
      const parts = quoted.split('…');
      return titles.some((title) => {
        const places = parts.map((part) => title.indexOf(part));
        return places.every((place, index) => place >= 0 && place >= (places[index - 1] ?? 0));
      });
    });

test('every test title that a page of the documentation quotes exists', () => {
  const quoted = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(quotation)].flatMap(([, file = '', list = '']) =>
      [...list.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ page, file, title })),
    ),
  );
  expect(quoted.length).toBeGreaterThan(80);
  expect(quoted.filter(({ file, title }) => !isTitleOf(file, title))).toEqual([]);
});
