import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';

/** A regular expression in the source code, with all places where it occurs. */
export type Pattern = { pattern: string; flags: string; places: string[] };

/**
 * Code that processes texts of users. Released migrations are excluded, because they never change; that of 025 limits
 * its texts to 50 characters.
 */
const SOURCES = ['server/**/*.ts', 'contract/**/*.ts', 'web/**/*.{ts,tsx}', 'sdk/javascript/*.js'];
const isRead = (file: string) => !/\.test\.tsx?$/.test(file) && !file.startsWith('server/db/migrations/');

type Node = {
  type: string;
  start: number;
  end: number;
  regex?: { pattern: string; flags: string };
  callee?: { name?: string };
};

/**
 * Finds all regular expressions of the product.
 * @returns the literals, each once, and the code of those that are built at run time
 */
export function regularExpressions(root: string): { literals: Pattern[]; built: string[] } {
  const literals = new Map<string, Pattern>();
  const built: string[] = [];
  for (const file of globSync(SOURCES, { cwd: root }).filter(isRead)) {
    const source = readFileSync(join(root, file), 'utf8');
    const visit = (node: Node) => {
      if (node.regex) {
        const { pattern, flags } = node.regex;
        const name = `/${pattern}/${flags}`;
        const known = literals.get(name) ?? { pattern, flags, places: [] };
        literals.set(name, known);
        known.places.push(`${file}:${source.slice(0, node.start).split('\n').length}`);
      }
      if (node.callee?.name === 'RegExp') built.push(`${file}: ${source.slice(node.start, node.end)}`);
      for (const part of Object.values(node).flat()) if (isNode(part)) visit(part);
    };
    visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file) as unknown as Node);
  }
  return { literals: [...literals.values()], built };
}

const isNode = (part: unknown): part is Node => typeof part === 'object' && part !== null && 'type' in part;
