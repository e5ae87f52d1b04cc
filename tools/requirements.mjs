// npm run requirements [-- --area clients --kind ui]: lists the statements of the specification whose id is in no test
// title and no tag.
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

/** A title in a table of tests: a text that begins with an id. Other texts in tests never do. */
const tableTitle = /(['"`])(SEED-(?:\\.|(?!\1)[^\\])*)\1/g;
/** The tags in the options of a test, which follow its title. */
const tagList = /^\s*,\s*\{[^{}]*?\btags:\s*\[([^\]]*)\]/;
const titleCall = /\b(?:test|it|describe)\b(?:\.\w+)*\s*\(\s*|\)\s*\(\s*/g;

/**
 * The titles and tags of the tests in a source file. A title is the first argument of test, it or describe, including
 * modifiers and `each(…)`. An id in a comment or in the body of a test does not count, because test reports do not
 * show it.
 * @param {string} source
 * @returns {string[]}
 */
export function testTitles(source) {
  const titles = [];
  for (const { index, 0: call } of source.matchAll(titleCall)) {
    const rest = source.slice(index + call.length);
    const literal = /^(['"`])((?:\\.|(?!\1)[^\\])*)\1/s.exec(rest);
    if (!literal?.[2]) continue;
    titles.push(literal[2]);
    const tags = tagList.exec(rest.slice(literal[0].length))?.[1] ?? '';
    titles.push(...[...tags.matchAll(/['"]([^'"]+)['"]/g)].map(([, tag]) => tag ?? ''));
  }
  for (const { 2: title } of source.matchAll(tableTitle)) {
    if (title) titles.push(title);
  }
  return titles;
}

/**
 * @param {Requirement[]} requirements
 * @param {Iterable<string>} titles
 * @param {{ area?: string, kind?: string }} only limits the areas or kinds
 * @returns {{ total: number, missing: Requirement[] }} the statements whose id is in no title and no tag; an id inside
 * a longer id does not count
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
    console.error('docs/requirements.csv is missing, so the tests cannot be compared with it.');
    process.exitCode = 1;
    return;
  }
  const files = globSync(['{contract,server,web,test,ops,tools}/**/*.test.{ts,tsx}', 'e2e/**/*.e2e.ts'], {
    cwd: root,
  });
  const titles = files.flatMap((file) => testTitles(readFileSync(join(root, file), 'utf8')));
  const { total, missing } = uncovered(parseRequirements(readFileSync(table, 'utf8')), titles, values);
  for (const { id, area, kind, statement } of missing) console.log(`${id}  [${area}, ${kind}]  ${statement}`);
  console.log(
    `${total - missing.length} of ${total} statements are named by a test; ${missing.length} are not.`,
  );
}

if (import.meta.main) main();
