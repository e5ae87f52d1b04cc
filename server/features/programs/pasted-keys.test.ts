import { beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { importFile } from '../../../test/import-file.ts';
import { setSettings } from '../../../test/portal.ts';
import fc, { triesOf } from '../../../test/properties.ts';

/** A key that is pasted with what stands around it is found, in each call and in each filter (INPUT-10). */

const API = '/licenses/api';

let t: TestApp;
let key: string;
let id: number;
let other: string;
beforeAll(async () => {
  t = await createTestApp({ closeAfterTest: false });
  ({ license_key: key, id } = await createLicense(t, {
    max_installations: 50,
    meters: { facturas: { limit: 100, period: 'month', overage: 'refuse' } },
  }));
  await setSettings(t, { portal_enabled: true });
  ({ license_key: other } = await createLicense(t));
  return t.close;
});

const keysOf = ({ results }: { results?: { license_key: string }[] }) => [
  ...new Set(results?.map(({ license_key }) => license_key)),
];

/** A machine may call 60 times a minute, so the calls come from several. */
let calls = 0;
const call = (path: string, license_key: string, more: object = {}) => {
  calls += 1;
  const machine_id = `equipo-${Math.floor(calls / 50)}`;
  return t.call('POST', `${API}/${path}/`, { token: null, body: { license_key, machine_id, ...more } });
};
const fullWidth = (text: string) =>
  [...text].map((sign) => String.fromCodePoint(sign.codePointAt(0)! + 0xfee0)).join('');

const pasted = () => [
  `"${key}"`,
  `“${key}”`,
  `${key}.`,
  `Clave: ${key}`,
  `clave: ${key.toLowerCase()}, gracias`,
  `\u200e${key}\u200f`,
  key.replaceAll('-', '_'),
  fullWidth(key),
  `Clave: ${key.slice(0, 12)}\r\n${key.slice(12)}`,
  `Hola Ana:\n\nTu clave es\n${key}\nGuárdala.${' '.repeat(10)}${'x'.repeat(300)}`,
];

test('is found in each call of a program (INPUT-10)', async () => {
  for (const typed of pasted()) {
    expect([typed, (await call('license/validate', typed)).body]).toMatchObject([
      typed,
      { valid: true, license: { license_key: key } },
    ]);
    const machine = { machine_id: 'caja-1' };
    const activated = await call('installations', typed, machine);
    expect([typed, activated.body.license, activated.body.license_key]).toEqual([typed, id, key]);
    expect([typed, (await call('installation/heartbeat', typed, machine)).status]).toEqual([typed, 200]);
    const records = [{ code: 'facturas', amount: 1, request_id: crypto.randomUUID() }];
    expect([typed, (await call('usage', typed, { ...machine, records })).status]).toEqual([typed, 200]);
    expect([typed, (await call('portal/ticket', typed, machine)).status]).toEqual([typed, 200]);
    // The key was found: what follows is a rule of its licence.
    expect([typed, (await call('installations/release', typed, machine)).body.code]).toEqual([
      typed,
      'release_not_allowed',
    ]);
  }
});

test('is found by filters, lists and the palette (INPUT-10)', async () => {
  await call('installations', key);
  for (const typed of pasted()) {
    for (const kind of ['licenses', 'installations']) {
      const filtered = await t.call('GET', `${API}/${kind}/?license_key=${encodeURIComponent(typed)}`);
      expect([typed, filtered.body.errors]).toEqual([typed, undefined]);
      expect([typed, keysOf(filtered.body)]).toEqual([typed, [key]]);
      const searched = await t.call('GET', `${API}/${kind}/?search=${encodeURIComponent(typed)}`);
      expect([typed, keysOf(searched.body)]).toEqual([typed, [key]]);
    }
    const { body } = await t.call('GET', `${API}/search/?q=${encodeURIComponent(typed)}`);
    expect([typed, body.licenses?.results.map((row: { id: number }) => row.id)]).toEqual([typed, [id]]);
    expect([typed, keysOf(body.installations)]).toEqual([typed, [key]]);
  }
  const checks = await t.call('GET', `${API}/checks/?license_key=${encodeURIComponent(`Clave:\n${key}x`)}`);
  expect(checks.status).toBe(200);
});

test('a search with more words finds by all of them where it can, else by the key (INPUT-10)', async () => {
  for (const machine_id of ['caja-2', 'caja-3']) await call('installations', key, { machine_id });
  const found = async (search: string) =>
    (await t.call('GET', `${API}/installations/?search=${encodeURIComponent(search)}`)).body.results.map(
      (row: { machine_id: string }) => row.machine_id,
    );
  expect(await found(`${key} caja-2`)).toEqual(['caja-2']);
  expect((await found(`${key} nadie`)).length).toBeGreaterThan(1);
});

describe('is not found (INPUT-10)', () => {
  test('where two different keys stand, or as a part of more letters', async () => {
    for (const typed of [`${key} ${other}`, `AAAAA-${key}`, `${key}-AAAAA`, `${key}A`, `x${key}`])
      expect([typed, (await call('license/validate', typed)).body.reason]).toEqual([typed, 'not_found']);
  });

  test('in a text of more than 500 characters, with other control characters, or blank', async () => {
    expect((await call('license/validate', key + ' '.repeat(600))).body.valid).toBe(true);
    for (const [typed, message] of [
      [`${key} ${'x'.repeat(500)}`, 'No puede exceder 500 caracteres'],
      [`${key}\u0000`, 'Contiene caracteres no permitidos'],
      [' \n ', 'La clave de licencia es obligatoria'],
    ])
      expect((await call('license/validate', typed!)).body.errors).toEqual({ license_key: [message] });
  });

  test('and each text with an unknown key counts once against its address', async () => {
    const own = await createTestApp();
    const validate = (license_key: string) =>
      own.call('POST', `${API}/license/validate/`, { token: null, body: { license_key, machine_id: 'x' } });
    for (let count = 0; count < 20; count += 1)
      expect((await validate(`Clave: AAAAA-AAAAA-AAAAA-AAAAA-AAAA${'23456789'[count % 8]}`)).status).toBe(
        200,
      );
    expect((await validate('Clave: AAAAA-AAAAA-AAAAA-AAAAA-AAAAA')).status).toBe(429);
  });
});

test('an imported key that is exactly the text wins over the key in it (API-02)', async () => {
  const client = await createClient(t);
  const { name } = await createSoftware(t);
  const imported = `CLAVE:${key}`;
  const file = `Clave,Email,Software,Precio,Categoría\r\n${imported},${client.email},${name},10,basic`;
  const { progress } = await importFile(t, 'licenses', file);
  expect(progress.result).toMatchObject({ created: 1, rows_with_errors: 0 });
  expect((await call('license/validate', imported)).body.license.license_key).toBe(imported);
  expect((await call('license/validate', `Esta clave: ${key}`)).body.license.license_key).toBe(key);
});

test('the token holds the hash of what was sent (INPUT-10)', async () => {
  const hashOf = async (license_key: string) => {
    const { body } = await call('license/validate', license_key, { nonce: 'abcdefghijklmnopqrst' });
    return JSON.parse(Buffer.from(body.token.split('.')[1], 'base64url').toString()).key_hash as string;
  };
  expect(await hashOf(key.toLowerCase())).toBe(await hashOf(key));
  expect(await hashOf(`Clave: ${key}`)).not.toBe(await hashOf(key));
});

test('any key is found wherever it stands in a mail (INPUT-10)', async () => {
  const words = fc.array(
    fc.constantFrom('Hola', 'tu', 'clave', 'es', 'vence', '31/12/2027', 'Ñandú,', '—', '(nueva)'),
    {
      maxLength: 12,
    },
  );
  const gap = fc.constantFrom(' ', '\n', '\r\n\r\n', ': ', ' "', '\t');
  await fc.assert(
    fc.asyncProperty(words, gap, gap, words, fc.boolean(), async (before, left, right, after, isOther) => {
      const own = isOther ? other : key;
      const typed = before.join(' ') + left + own + right + after.join(' ');
      expect([
        typed,
        (await call('license/validate', typed, { machine_id: `m-${Math.random()}` })).body.license,
      ]).toMatchObject([typed, { license_key: own }]);
    }),
    { numRuns: triesOf(60) },
  );
});
