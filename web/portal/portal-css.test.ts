import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

/**
 * The portal's styles have only the classes of the files that portal.css names: what a file of web/ui that it does not
 * name draws, is drawn by the browser (the bar of a meter was).
 */

const HERE = import.meta.dirname;
const UI = join(HERE, '..', 'ui');

/** The files of web/ui that a file imports, and those that these import. */
function uiOf(file: string, known: Set<string> = new Set()): Set<string> {
  for (const [, path] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) (?!type ).*from '(\..*)';$/gm,
  )) {
    const imported = join(dirname(file), path!);
    if (!imported.startsWith(UI) || known.has(imported)) continue;
    known.add(imported);
    uiOf(imported, known);
  }
  return known;
}

test('the portal’s styles have the classes of all components that it uses (DESK-08)', () => {
  const own = readdirSync(HERE, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\./.test(name))
    .map((name) => join(HERE, name));
  const used = new Set(own.flatMap((file) => [...uiOf(file)]));
  const named = readFileSync(join(HERE, 'portal.css'), 'utf8');
  const missing = [...used]
    .filter((file) => /\.tsx$|-class\.ts$/.test(file))
    .map((file) => relative(HERE, file).replaceAll('\\', '/'))
    .filter((path) => !named.includes(`@source "${path}";`));
  expect(used.size).toBeGreaterThan(5);
  expect(missing).toEqual([]);
});
