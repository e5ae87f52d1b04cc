import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Integration } from '../../../../contract/programs/integration.ts';
import { programCode } from '../../../../contract/programs/program-code.ts';
import { LANGUAGES, type Language } from './languages.ts';

const SDK = join(import.meta.dirname, '../../../../sdk');

/** A text as long as a coordinate of a key. */
const like = (mark: string) => mark.padEnd(43, '-_');
const keyOf = (state: 'current' | 'next'): Integration['keys'][number] => ({
  state,
  public_jwk: {
    kty: 'EC',
    crv: 'P-256',
    kid: like(`kid-${state}`),
    x: like(`x-${state}`),
    y: like(`y-${state}`),
    use: 'sig',
    alg: 'ES256',
  },
  public_pem: '',
});
const MINE: Integration = {
  server: 'https://mi-servidor.example.org/$&',
  software: 'caja-facil',
  keys: [keyOf('current'), keyOf('next')],
};

test('every SDK is offered, and so is each language that calls the shared library (PROG-08, CODE-06)', () => {
  const entries = readdirSync(SDK, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const offered = new Set(Object.entries<Language>(LANGUAGES).map(([name, { folder }]) => folder ?? name));
  expect([...offered].sort()).toEqual(folders.sort());
  expect(Object.keys(LANGUAGES)).toEqual(expect.arrayContaining(['c', 'cpp', 'delphi', 'foxpro', 'vb6']));
});

test('the modules for Visual FoxPro and Visual Basic are downloaded with the ends of lines that they read (CODE-06)', () => {
  for (const name of ['foxpro', 'vb6'] as const) {
    const text = decodeURIComponent(LANGUAGES[name].url.split(',', 2)[1]!);
    expect(text).toMatch(/^[\x20-\x7e\r\n\t]+$/);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  }
});

test.each(Object.entries<Language>(LANGUAGES))(
  'the code of %s contains the data of the software instead of the sample data (PROG-08)',
  (_name, { code: example }) => {
    const code = programCode(example, MINE);
    expect(code).toContain(MINE.server);
    // In C it stands in JSON inside a text.
    expect(code).toMatch(/['"]caja-facil\\?['"]/);
    expect(code.match(/(?<![\w-])[\w-]{43}(?![\w-])/g)).toEqual(
      MINE.keys.flatMap(({ public_jwk: { kid, x, y } }) => [kid, x, y]),
    );
    expect(code).not.toMatch(/licencias\.example|punto-de-venta/);
  },
);
