import { beforeAll, describe, expect, test } from 'vitest';
import { foundBy } from '../../../contract/reading/search-folding.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import {
  activate,
  createClient,
  createLicense,
  createLicenseType,
  createSoftware,
} from '../../../test/factories.ts';
import { Browser, setSettings } from '../../../test/portal.ts';
import fc, { triesOf } from '../../../test/properties.ts';

/** Searches in lists, in the palette and in the portal fold what is stored and what is asked alike (INPUT-08). */

const API = '/licenses/api';

async function listed(t: TestApp, kind: string, search: string): Promise<number[]> {
  const { status, body } = await t.call(
    'GET',
    `${API}/${kind}/?page_size=100&search=${encodeURIComponent(search)}`,
  );
  expect([search, status]).toEqual([search, 200]);
  return body.results.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b);
}

async function inPalette(t: TestApp, kind: string, q: string): Promise<number[]> {
  const { status, body } = await t.call('GET', `${API}/search/?q=${encodeURIComponent(q)}`);
  expect([q, status]).toEqual([q, 200]);
  return body[kind].results.map(({ id }: { id: number }) => id);
}

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ closeAfterTest: false });
  return t.close;
});

describe('lists and the palette find a record (INPUT-08)', () => {
  let ids: { client: number; software: number; type: number; license: number; machine: number };
  beforeAll(async () => {
    const client = await createClient(t, {
      name: 'D’Angelo Núñez',
      company: 'Núñez S.A. de C.V.',
      email: 'rosa.diaz@plumas.mx',
      phone: '+525512345678',
      tax_id: 'GODE-561231-GR8',
      external_id: 'Folio 7/2024',
    });
    await createClient(t, { name: 'Otra persona', email: 'mariana@otras.mx', phone: '+525599999999' });
    const software = await createSoftware(t, { name: "L'Étoile", version: '3.1.4' });
    const type = await createLicenseType(t, { name: 'Anual/Básico' });
    const license = await createLicense(t, {
      client: client.id,
      software: software.id,
      external_id: 'PED.2024-88',
    });
    const machine = await activate(t, license.license_key, 'PC-RECEPCION-07');
    ids = {
      client: client.id,
      software: software.id,
      type: type.id,
      license: license.id,
      machine: machine.body.id,
    };
  });

  test.each([
    'D’Angelo',
    "D'Angelo",
    'D´Angelo',
    'DAngelo',
    'dangelo nunez',
    'D’Angelo\tNúñez',
    'D’Angelo Núñez\r\n5512345678\n',
    '"D’Angelo"',
    '(Núñez)',
    'Núñez, S.A.',
    'Nunez SA de CV',
    'NÚÑEZ S.A. DE C.V.',
    'rosa.diaz@plumas.mx',
    'mailto:Rosa.Diaz@plumas.mx',
    'Rosita <rosa.diaz@plumas.mx>',
    '<rosa.diaz@plumas.mx>',
    'rosa.diaz@',
    'plumas.mx',
    '55-1234-5678',
    '55 1234 5678',
    '(55) 1234-5678',
    'tel:+52-55-1234-5678',
    'GODE561231GR8',
    'GODE 561231 GR8',
    'gode-561231',
    'Folio 7/2024',
    '7-2024',
  ])('a client by %j', async (asked) => {
    expect([asked, await listed(t, 'clients', asked)]).toEqual([asked, [ids.client]]);
    expect([asked, await inPalette(t, 'clients', asked)]).toEqual([asked, [ids.client]]);
  });

  test.each(['Letoile', 'L’Étoile 3.1', '3-1-4'])('a software by %j', async (asked) => {
    expect([await listed(t, 'software', asked), await inPalette(t, 'software', asked)]).toEqual([
      [ids.software],
      [ids.software],
    ]);
  });

  test.each(['Básico anual', 'anual-basico'])('a type by %j', async (asked) => {
    expect([await listed(t, 'license-types', asked), await inPalette(t, 'license_types', asked)]).toEqual([
      [ids.type],
      [ids.type],
    ]);
  });

  test.each(['PED 2024 88', 'ped202488', 'D’Angelo L’Étoile', 'Nunez SA'])(
    'a licence by %j',
    async (asked) => {
      expect([await listed(t, 'licenses', asked), await inPalette(t, 'licenses', asked)]).toEqual([
        [ids.license],
        [ids.license],
      ]);
    },
  );

  test.each(['pc-recepcion-07', 'PC RECEPCION', 'pcrecepcion07', '"PC_RECEPCION_07"'])(
    'a machine by %j',
    async (asked) => {
      expect([await listed(t, 'installations', asked), await inPalette(t, 'installations', asked)]).toEqual([
        [ids.machine],
        [ids.machine],
      ]);
    },
  );

  test('and nothing by a text without letters and digits', async () => {
    for (const asked of ['---', '""', '%', '☕', '@']) {
      for (const kind of ['clients', 'software', 'license-types', 'licenses', 'installations'])
        expect([asked, kind, await listed(t, kind, asked)]).toEqual([asked, kind, []]);
      const file = await t.call('GET', `${API}/clients/export/?search=${encodeURIComponent(asked)}`);
      expect(file.text.trim().split('\r\n')).toHaveLength(1);
    }
    expect((await listed(t, 'clients', ' ')).length).toBeGreaterThan(1);
    expect((await listed(t, 'users', '---')).length).toBe(0);
  });
});

test('a name with a number is found with a sign in place of its space (INPUT-08)', async () => {
  const spaced = await createClient(t, { name: 'Sucursal 3 Norte', company: 'O.C. 2024/15' });
  for (const asked of ['Sucursal-3', 'sucursal_3 norte', 'Sucursal/3', 'OC-2024-15']) {
    expect([asked, await listed(t, 'clients', asked)]).toEqual([asked, [spaced.id]]);
    expect([asked, await inPalette(t, 'clients', asked)]).toEqual([asked, [spaced.id]]);
  }
  // What has the sign is found alone.
  const signed = await createClient(t, { name: 'Sucursal-3 Sur' });
  expect(await listed(t, 'clients', 'Sucursal-3')).toEqual([signed.id]);
  const user = { username: 'caja', names: 'Caja 7', last_name: '', email: 'caja@x.mx', role: 'viewer' };
  const { body } = await t.call('POST', `${API}/users/`, { body: user });
  expect(await listed(t, 'users', 'Caja-7')).toEqual([body.id]);
});

test('an address finds its client first although others contain it (INPUT-08)', async () => {
  const { id } = await createClient(t, { email: 'ana@orden.mx' });
  for (const more of ['mari', 'di', 'susi']) await createClient(t, { email: `${more}ana@orden.mx` });
  const found = await inPalette(t, 'clients', 'Ana López <ana@orden.mx>');
  expect([found.length, found[0]]).toEqual([4, id]);
});

test('the portal finds an own licence by folded words (INPUT-08)', async () => {
  await setSettings(t, { portal_enabled: true });
  const client = await createClient(t);
  const { id: software } = await createSoftware(t, { name: 'D’Angelo S.A.', description: 'oculto' });
  const license = await createLicense(t, { client: client.id, software });
  await createLicense(t, { client: client.id });
  await t.call('POST', `${API}/installations/`, {
    token: null,
    body: { license_key: license.license_key, machine_id: 'x', machine_name: 'Caja-01' },
  });
  const browser = await new Browser(t).signIn(client.email);
  const found = async (search: string) =>
    (await browser.call('GET', `licenses/?search=${encodeURIComponent(search)}`)).body.results.map(
      ({ id }: { id: number }) => id,
    );
  const key = license.license_key;
  for (const asked of ['DAngelo', 'd´angelo sa', 'caja01', '(CAJA 01)', key.slice(0, 11), `Clave: “${key}”.`])
    expect([asked, await found(asked)]).toEqual([asked, [license.id]]);
  for (const asked of ['---', 'oculto', `A${key}`]) expect([asked, await found(asked)]).toEqual([asked, []]);
});

const WORDS = [
  'Núñez',
  'D’Angelo',
  'S.A.',
  'C.V.',
  'de',
  '55-123',
  'a@b.mx',
  'AT&T',
  'Pérez/Gómez',
  '7',
  'caja-01',
  '"X"',
];
const SIGNS = ['', '-', '.', ' ', '/', '’', ', ', '@'];

test('a search finds what a filter in memory finds (INPUT-08)', async () => {
  const other = await createTestApp();
  const name = fc
    .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...SIGNS)), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.flat().join('').trim());
  const names = fc.sample(name, { seed: 5, numRuns: 40 });
  const rows: { id: number; texts: string[] }[] = [];
  for (const [number, text] of names.entries()) {
    const created = await createClient(other, { name: text, email: `correo${number}@example.com` });
    const { email, company, phone, contact_person } = created;
    rows.push({ id: created.id, texts: [created.name, email, company ?? '', phone, contact_person ?? ''] });
  }
  const asked = fc.oneof(
    name,
    fc.constantFrom(...names, ...WORDS),
    fc
      .tuple(fc.constantFrom(...names), fc.nat(10), fc.nat(12))
      .map(([text, from, length]) => text.slice(from, from + length)),
  );
  await fc.assert(
    fc.asyncProperty(
      asked.filter((text) => text.trim() !== ''),
      async (text) => {
        const expected = foundBy(rows, ({ texts }) => texts, text).map(({ id }) => id);
        expect([text, await listed(other, 'clients', text)]).toEqual([text, expected]);
      },
    ),
    { numRuns: triesOf(300) },
  );
});
