import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';

/** The texts that people read, as the source files write them: for the tests of words and of the voice. */

const ROOT = join(import.meta.dirname, '..');

/** These folders contain all texts that people read: the console's texts, messages of both sides, mails. */
const FOLDERS = ['web', 'contract', 'server'];

/** The texts in strings, templates and markup of a file. A template has a text for each of its parts. */
export function textsOf(path: string, source: string): string[] {
  const texts: string[] = [];
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === 'string') texts.push(node.value);
    },
    TemplateElement: (node) => {
      texts.push(node.value.cooked ?? '');
    },
    JSXText: (node) => {
      texts.push(node.value);
    },
  }).visit(parseSync(path, source).program);
  return texts;
}

/** The sources of all files with such texts, by their paths from the root; tests and migrations have none. */
export function readSources(): ReadonlyMap<string, string> {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/migrations\//.test(path)),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}
