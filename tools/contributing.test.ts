import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const text = ['CONTRIBUTING.md', 'docs/README.md', 'docs/architecture.md']
  .map((page) => readFileSync(join(root, page), 'utf8'))
  .join('\n');

const FOLDERS = ['contract', 'server', 'web', 'test', 'e2e', 'ops', 'tools', 'sdk', 'docs', 'bench'];

/** The paths that the recipes name, without those of examples: `<feature>` and the verbs and screens that they invent. */
function namedPaths(): string[] {
  const found = text.matchAll(new RegExp(`(?<![\\w/.-])((?:${FOLDERS.join('|')})/[\\w./-]+)`, 'g'));
  return [...new Set([...found].map(([, path = '']) => path.replace(/[.,:]+$/, '')))].filter(
    (path) => !/archive|NNN|<|ventas/.test(path),
  );
}

test('every file and folder that the pages for those who change it name exists', () => {
  const paths = namedPaths();
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('each kind that has fields has the files that the recipe names', () => {
  const kinds = ['clients', 'license-types', 'licenses', 'software'];
  const files = kinds.flatMap((kind) => {
    const names = readdirSync(join(root, 'contract', kind));
    return ['fields', 'about', ...(kind === 'license-types' ? [] : ['file'])]
      .map((part) => `${kind}.${part}.ts`)
      .filter((name) => !names.includes(name));
  });
  expect(files).toEqual([]);
});
