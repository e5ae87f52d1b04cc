import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { describe, expect, test } from 'vitest';

/** Checks that texts use one word for each thing: 'equipo' for a computer, 'lugar' for a seat. */

const ROOT = join(import.meta.dirname, '..', '..');

/** These folders contain all texts that people read: the console's texts, messages of both sides, mails. */
const FOLDERS = ['web', 'contract', 'server'];

/** Texts of the API's description, which uses the specification's word 'instalación'. */
const OF_THE_API = /^server\/http\/openapi-words\//;

const ANOTHER_WORD = /(?<![\p{L}/.=-])(máquinas?|computadoras?|asientos?|instalaci(?:ón|ones))(?![\p{L}-])/iu;
/** In the description of the API an installation is a record. */
const ANOTHER_WORD_OF_API = /(?<![\p{L}])(máquinas?|computadoras?|asientos?)(?![\p{L}])/iu;

/** Texts that the specification requires literally. */
const OF_THE_SPECIFICATION = new Set([
  // SEED-2.7-03, SEED-2.8-11, decisions.md: a tab, a counter, a column
  'Instalaciones',
  // SEED-2.7-27
  'No hay instalaciones',
  'Este cliente no tiene instalaciones registradas.',
  // SEED-5.5-05
  'El máximo de instalaciones debe ser mayor a 0',
  'Máximo de Instalaciones',
  // The cells of the types: '5 instalaciones'
  'instalación',
  'instalaciones',
  '5 instalaciones',
  '1 instalación',
  // D009
  'Se alcanzó el máximo de instalaciones',
  // LIST-03: the names of two ready views
  'Sin instalaciones',
  'Asientos completos',
]);

/** The names of columns in exported files, which other programs read. */
const OF_FILES = new Set(['Asientos', 'Licencias sin instalaciones']);
/** The headers that an import recognises, separated by commas. */
const isOfImports = (path: string, text: string) =>
  /^contract\/(?:imports\/|.*\.file\.ts)/.test(path) && text.includes(',');

/** The texts in strings and templates of a file. */
function textsOf(path: string, source: string): string[] {
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

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/migrations\//.test(path)),
);

const faultsIn = (path: string, source: string) =>
  textsOf(path, source)
    .filter((text) => (OF_THE_API.test(path) ? ANOTHER_WORD_OF_API : ANOTHER_WORD).test(text))
    .filter(
      (text) => !OF_THE_SPECIFICATION.has(text.trim()) && !OF_FILES.has(text) && !isOfImports(path, text),
    )
    .map((text) => `${path}: ${text}`);

describe('the Spanish texts', () => {
  test('the check finds a word in a string, a template and markup', () => {
    const source = "const a = 'Una máquina'; const b = `${a} asientos`; const c = <p>La computadora</p>;";
    expect(faultsIn('web/a.tsx', source)).toHaveLength(3);
    expect(faultsIn('web/a.tsx', "const a = 'Instalaciones'; const b = 'maquinaria';")).toEqual([]);
  });

  test('use one word for one thing, except in the texts of the specification', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap((path) => faultsIn(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
  });
});
