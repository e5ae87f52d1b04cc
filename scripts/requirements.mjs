// npm run requirements [-- --area clients --kind ui]: which statements of the specification no test names in its title.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse/sync';

/**
 * @typedef {{ id: string, area: string, kind: string, statement: string }} Requirement
 */

/**
 * @param {string} csv with at least the columns id, area, kind, statement
 * @returns {Requirement[]}
 */
export function parseRequirements(csv) {
  return parse(csv, { columns: true, bom: true, skip_empty_lines: true });
}

/** A title that a table hands to its tests: a text that begins with an id, as no other text of a test does. */
const tableTitle = /(['"`])(SEED-(?:\\.|(?!\1)[^\\])*)\1/g;
const titleCall = /\b(?:test|it|describe)\b(?:\.\w+)*\s*\(\s*|\)\s*\(\s*/g;

/**
 * The titles of the tests in a source file: the text that is the first argument of test, it or describe, with modifiers
 * and after `each(…)` too. An id in a comment or in a test's body does not count, since a report of a run shows only titles.
 * @param {string} source
 * @returns {string[]}
 */
export function testTitles(source) {
  const titles = [];
  for (const { index, 0: call } of source.matchAll(titleCall)) {
    const rest = source.slice(index + call.length);
    const literal = /^(['"`])((?:\\.|(?!\1)[^\\])*)\1/s.exec(rest);
    if (literal?.[2]) titles.push(literal[2]);
  }
  for (const { 2: title } of source.matchAll(tableTitle)) {
    if (title) titles.push(title);
  }
  return titles;
}

/**
 * @param {Requirement[]} requirements
 * @param {Iterable<string>} titles
 * @param {{ area?: string, kind?: string }} only leaves out every other area or kind
 * @returns {{ total: number, missing: Requirement[] }} what no title names; an id that is part of a longer one is not named
 */
export function uncovered(requirements, titles, only = {}) {
  const named = new Set([...titles].flatMap((title) => title.match(/[A-Z]+-[\w.]+(?:-[\w.]*\w)*/g) ?? []));
  const asked = requirements.filter(
    ({ area, kind }) => (!only.area || area === only.area) && (!only.kind || kind === only.kind),
  );
  return { total: asked.length, missing: asked.filter(({ id }) => !named.has(id)) };
}

function main() {
  const { values } = parseArgs({ options: { area: { type: 'string' }, kind: { type: 'string' } } });
  const root = join(import.meta.dirname, '..');
  const table = join(root, 'docs', 'requirements.csv');
  if (!existsSync(table)) {
    console.error('docs/requirements.csv is not there: nothing to compare the tests with.');
    process.exitCode = 1;
    return;
  }
  const files = globSync(['{contract,server,web,test,scripts}/**/*.test.{ts,tsx}', 'e2e/**/*.e2e.ts'], {
    cwd: root,
  });
  const titles = files.flatMap((file) => testTitles(readFileSync(join(root, file), 'utf8')));
  const { total, missing } = uncovered(parseRequirements(readFileSync(table, 'utf8')), titles, values);
  for (const { id, area, kind, statement } of missing) console.log(`${id}  [${area}, ${kind}]  ${statement}`);
  console.log(
    `${total - missing.length} of ${total} statements are named by a test title; ${missing.length} are not.`,
  );
}

if (import.meta.main) main();
