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

test('every SDK that is a single file is offered (PROG-08)', () => {
  const entries = readdirSync(SDK, { withFileTypes: true });
  // sdk/c is not offered, because vendors must build that library.
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== 'c');
  expect(Object.keys(LANGUAGES).sort()).toEqual(folders.map(({ name }) => name).sort());
});

test.each(Object.entries<Language>(LANGUAGES))(
  'the code of %s contains the data of the software instead of the sample data (PROG-08)',
  (_name, { code: example }) => {
    const code = programCode(example, MINE);
    expect(code).toContain(MINE.server);
    expect(code).toMatch(/['"]caja-facil['"]/);
    expect(code.match(/(?<![\w-])[\w-]{43}(?![\w-])/g)).toEqual(
      MINE.keys.flatMap(({ public_jwk: { kid, x, y } }) => [kid, x, y]),
    );
    expect(code).not.toMatch(/licencias\.example|punto-de-venta/);
  },
);
