import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'docs', 'decisions');
const records = globSync('[0-9]*.md', { cwd: folder }).sort();
const numbers = new Set(records.map((name) => name.slice(0, 3)));
const list = readFileSync(join(folder, 'README.md'), 'utf8');
/** The number of each decision that went, with that of its successor. */
const replaced = new Map(
  [...list.matchAll(/^- (\d{3}): \[(\d{3})\]/gm)].map(([, old = '', successor = '']) => [old, successor]),
);

test.each(records)('the decision %s has a number and a date, and is listed once with its title', (name) => {
  const number = name.slice(0, 3);
  const [heading = '', , dated = ''] = readFileSync(join(folder, name), 'utf8').split('\n');
  expect(heading).toMatch(new RegExp(`^# ${number} .`));
  expect(dated).toMatch(/^\*\d{4}-\d\d-\d\d, accepted\.\*/);
  const lines = list.split('\n').filter((line) => line.startsWith(`- [${number}]`));
  expect(lines).toEqual([`- [${number}](${name}) ${heading.slice('# 000 '.length)}`]);
});

/** What fits on a page, read in two minutes. */
const page = { words: 450, lines: 45 };

test.each(records)('the decision %s is at most a page', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  expect(words.length, 'words').toBeLessThanOrEqual(page.words);
  expect(text.trimEnd().split('\n').length, 'lines').toBeLessThanOrEqual(page.lines);
});

test('a decision that was replaced leads to one that says so', () => {
  for (const [old, successor] of replaced) {
    expect(numbers.has(old), `${old} is still there`).toBe(false);
    const name = records.find((record) => record.startsWith(successor)) ?? '';
    expect(readFileSync(join(folder, name), 'utf8'), name).toMatch(
      new RegExp(`^Replaces [^:]*\\b${old}\\b`, 'm'),
    );
  }
});

const texts = globSync(
  [
    '*.{md,ts,json}',
    '{.github,bench,contract,docs,e2e,sdk,server,test,tools,web}/**/*.{md,ts,tsx,mjs,sql,yml,css}',
  ],
  { cwd: root, exclude: (path) => /^(node_modules|dist|target|vendor)$/.test(basename(path)) },
);

test('every decision that a comment or a document names is there, or was replaced', () => {
  const unknown = texts.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return [
      ...[...text.matchAll(/\b(?:decision |decisions\/)(\d{3})\b(?!-)/g)]
        .filter(([, number = '']) => !numbers.has(number) && !replaced.has(number))
        .map(([named]) => `${path}: ${named}`),
      ...[...text.matchAll(/decisions\/(\d{3}-[\w-]+\.md)/g)]
        .filter(([, name = '']) => !records.includes(name))
        .map(([named]) => `${path}: ${named}`),
    ];
  });
  expect(unknown).toEqual([]);
});
