import { beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { activate, createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { importFile } from '../../../test/import-file.ts';
import fc from '../../../test/properties.ts';

/** A typed licence key is accepted in any spelling (API-02), and finds only one licence (API-01). */

let app: TestApp;
let key: string;
let id: number;
beforeAll(async () => {
  app = await createTestApp({ closeAfterTest: false });
  ({ license_key: key, id } = await createLicense(app, { max_installations: 20 }));
  await activate(app, key, 'caja-0');
  return app.close;
});

const program = (path: string, license_key: string, machine_id: string) =>
  app.call('POST', `/licenses/api/${path}/`, { token: null, body: { license_key, machine_id } });
const list = (path: string, license_key: string) =>
  app.call('GET', `/licenses/api/${path}/?license_key=${encodeURIComponent(license_key)}&page_size=100`);

/** What people and word processors write in place of a hyphen. */
const SEPARATORS = [
  '-',
  '',
  ' ',
  '\u00a0',
  ' - ',
  '\u2010',
  '\u2011',
  '\u2012',
  '\u2013',
  '\u2014',
  '\u2212',
];

describe('a licence key of this product (API-02)', () => {
  test.each(SEPARATORS)('is accepted in every call with %j between its groups', async (separator) => {
    for (const typed of [key, key.toLowerCase()].map((text) => text.replaceAll('-', separator))) {
      const machine = `m-${SEPARATORS.indexOf(separator)}`;
      expect((await program('license/validate', typed, machine)).body).toMatchObject({
        valid: true,
        license: { license_key: key },
      });
      const activated = await program('installations', typed, machine);
      expect([activated.body.license, activated.body.license_key]).toEqual([id, key]);
      expect((await program('installation/heartbeat', typed, machine)).status).toBe(200);
      const found = await list('licenses', typed);
      expect(found.body).toMatchObject({ count: 1, results: [{ id }] });
      const search = await app.call('GET', `/licenses/api/search/?q=${encodeURIComponent(typed)}`);
      expect(search.body.licenses).toMatchObject({ count: 1, results: [{ id }] });
    }
  });

  test('is accepted with any mix of case and separators', async () => {
    const letters = [...key.replaceAll('-', '')];
    const mixed = fc
      .tuple(...letters.map(() => fc.tuple(fc.boolean(), fc.constantFrom('', ...SEPARATORS))))
      .map((ways) =>
        ways
          .map(([small, after], at) => (small ? letters[at]!.toLowerCase() : letters[at]!) + after)
          .join('')
          .trim(),
      );
    const property = fc.asyncProperty(
      mixed.filter(({ length }) => length <= 100),
      async (typed) => {
        expect((await program('license/validate', typed, `p-${Math.random()}`)).body.valid).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: 25 });
  });

  test('is unknown with one letter more, less or changed', async () => {
    for (const typed of [`${key}A`, key.slice(1), key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A')]) {
      expect((await program('license/validate', typed, 'caja-0')).body.reason).toBe('not_found');
    }
  });
});

describe('?license_key= (API-01)', () => {
  test('finds exactly one licence, and the machines of that licence only', async () => {
    const other = await createLicense(app);
    await activate(app, other.license_key, 'otra');
    expect((await list('licenses', other.license_key)).body).toMatchObject({
      count: 1,
      count_is_exact: true,
      results: [{ id: other.id }],
    });
    expect((await list('installations', other.license_key.toLowerCase())).body).toMatchObject({
      count: 1,
      results: [{ machine_id: 'otra', license: other.id }],
    });
    const both = `license_key=${other.license_key}&status=suspended`;
    expect((await app.call('GET', `/licenses/api/licenses/?${both}`)).body.count).toBe(0);
  });

  test('finds nothing for a key that no licence has', async () => {
    for (const unknown of ['AAAAA-AAAAA-AAAAA-AAAAA-AAAAA', 'x', '%', '-', 'ñandú 1']) {
      expect([unknown, (await list('licenses', unknown)).body.count]).toEqual([unknown, 0]);
      expect([unknown, (await list('installations', unknown)).body.count]).toEqual([unknown, 0]);
    }
  });

  test('filters the export and the bulk call too', async () => {
    const file = await app.call('GET', `/licenses/api/licenses/export/?license_key=${key.toLowerCase()}`);
    expect(file.text.trim().split('\r\n')).toHaveLength(2);
    const bulk = await app.call('POST', '/licenses/api/licenses/bulk_action/preview/', {
      body: { action: 'suspend', filters: { license_key: key.replaceAll('-', '') } },
    });
    expect(bulk.body.total).toBe(1);
  });
});

test('keys of other systems are accepted with or without their hyphens, and an exact match wins (API-02)', async () => {
  const client = await createClient(app);
  const { name } = await createSoftware(app);
  const plain = 'ABCDE23456ABCDE23456ABCDE';
  const keys = ['OLD-100-z', 'AB-12', plain];
  const rows = keys.map((own) => `${own},${client.email},${name},10,basic`);
  const file = ['Clave,Email,Software,Precio,Categoría', ...rows].join('\r\n');
  const { progress } = await importFile(app, 'licenses', file);
  expect(progress.result).toMatchObject({ created: keys.length, rows_with_errors: 0 });

  // An earlier version could import two such keys.
  const { id: alike } = await createLicense(app);
  await app.db.updateTable('licenses').set({ license_key: 'A-B12' }).where('id', '=', alike).execute();

  const found = async (typed: string) =>
    (await program('license/validate', typed, 'pc')).body.license?.license_key;
  for (const typed of ['old-100-z', 'OLD100Z', 'old 100 z', 'Old\u2013100\u2013Z']) {
    expect([typed, await found(typed)]).toEqual([typed, 'OLD-100-Z']);
    expect((await list('licenses', typed)).body.results[0]?.license_key).toBe('OLD-100-Z');
  }
  expect([await found('ab-12'), await found('a-b12')]).toEqual(['AB-12', 'A-B12']);
  expect(await found('ABCDE-23456-abcde-23456-ABCDE')).toBe(plain);
  const seat = await program('installations', 'old100z', 'pc');
  expect([seat.status, seat.body.license_key]).toEqual([201, 'OLD-100-Z']);
  expect((await program('installation/heartbeat', 'OLD 100 Z', 'pc')).status).toBe(200);
  const { body } = await app.call('GET', '/licenses/api/search/?q=old100z');
  expect(body.licenses.results).toMatchObject([{ license_key: 'OLD-100-Z' }]);
});

test('an import finds a licence by its key however it is typed, and stores a new key in its normal form (API-02)', async () => {
  const license = await createLicense(app);
  const typed = license.license_key.replaceAll('-', ' ').toLowerCase();
  const update = `Clave,Notas\r\n${typed},leída`;
  const { progress } = await importFile(app, 'licenses', update, 'update');
  expect(progress.result).toMatchObject({ updated: 1, rows_with_errors: 0 });

  const { client, software_name: software } = license;
  const row = (own: string) => `${own},${client.email},${software},10,basic`;
  const file = [
    'Clave,Email,Software,Precio,Categoría',
    row('k7mnp 22222 33333 44444 55555'),
    row('K7MNP-22222-33333-44444-55555'),
    row(license.license_key.replaceAll('-', '')),
  ].join('\r\n');
  const second = await importFile(app, 'licenses', file);
  expect(second.progress.result).toMatchObject({ created: 1, rows_with_errors: 2 });
  const made = await list('licenses', 'K7MNP2222233333 4444455555');
  expect(made.body.results).toMatchObject([{ license_key: 'K7MNP-22222-33333-44444-55555' }]);
});
