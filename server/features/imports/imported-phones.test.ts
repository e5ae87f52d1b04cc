import { expect, test } from 'vitest';
import type { Page } from '../../../contract/base/page.ts';
import type { Client } from '../../../contract/clients/clients.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient } from '../../../test/factories.ts';
import { importFile, progressOf, runImport } from '../../../test/import-file.ts';

/** Telephones and mail addresses of clients in files (INPUT-02, INPUT-14). */

const CLIENTS = '/licenses/api/clients/';

/** Both phones of each client, by the local part of the address. */
async function phonesOf(t: TestApp): Promise<Record<string, string[]>> {
  const { body } = await t.call<Page<Client>>('GET', `${CLIENTS}?page_size=100`);
  return Object.fromEntries(
    body.results.map(({ email, phone, phone_secondary }) => [
      email.split('@')[0]!,
      [phone, phone_secondary].filter(Boolean),
    ]),
  );
}

const FILE = `Nombre,Email,Teléfono,Teléfono 2,País
Uno,uno@example.com,55 1234 5678,(55) 8765-4321,
Dos,dos@example.com,044 55 1234 5678,pedir en recepción,México
Tres,tres@example.com,011 15 4321-5678,,Argentina
Cuatro,cuatro@example.com,1143215678,+54 11 4321 5678,AR
Cinco,cinco@example.com,+52 55 1234 5678,,mx
Seis,seis@example.com,+54 9 11 4321 5678,,México
Siete,siete@example.com,123456789,,Atlántida
`;

const REPAIRED = {
  uno: ['+525512345678', '+525587654321'],
  dos: ['+525512345678', 'pedir en recepción'],
  tres: ['+5491143215678'],
  cuatro: ['+541143215678', '+54 11 4321 5678'],
  cinco: ['+525512345678'],
  seis: ['+5491143215678'],
  siete: ['+123456789'],
};

test('phones are stored as numbers of the country of their client, and the check counts what it repairs (INPUT-02)', async () => {
  const t = await createTestApp();
  const { id, forecast } = await importFile(t, 'clients', FILE);
  expect(await phonesOf(t)).toEqual(REPAIRED);
  expect(forecast.fixed.phone).toMatchObject({ count: 4 });
  expect(forecast.fixed.phone!.samples.slice(0, 2)).toEqual([
    { row: 2, field: 'phone', text: '55 1234 5678', value: '+525512345678' },
    { row: 3, field: 'phone', text: '044 55 1234 5678', value: '+525512345678' },
  ]);
  expect(forecast.fixed.phone_secondary).toMatchObject({
    count: 1,
    samples: [{ row: 2, field: 'phone_secondary', text: '(55) 8765-4321', value: '+525587654321' }],
  });
  expect((await progressOf(t, id)).chosen.fix_phones).toBe(true);
});

test('the same file back changes nothing, nor does one with the phones as they were stored before (INPUT-02)', async () => {
  const t = await createTestApp();
  await importFile(t, 'clients', FILE);
  const again = await importFile(t, 'clients', FILE, 'upsert');
  expect(again.forecast).toMatchObject({ to_create: 0, to_update: 0, unchanged: 7 });
  expect(again.forecast.fixed).not.toHaveProperty('phone');
  // Stored by a form or an earlier version, by the rule of the specification.
  const { id } = await createClient(t, { email: 'ocho@example.com', phone: '5512345678' });
  const file = (phone: string) => `Email,Teléfono\nocho@example.com,${phone}\n`;
  for (const same of ['+5512345678', '5512345678', '55 1234 5678', '+525512345678']) {
    const { forecast } = await importFile(t, 'clients', file(same), 'update');
    expect([same, forecast.unchanged]).toEqual([same, 1]);
  }
  expect((await t.call<Client>('GET', `${CLIENTS}${id}/`)).body.phone).toBe('+5512345678');
  // Another number is stored in the country that the client has.
  await importFile(t, 'clients', file('55 9999 8888'), 'update');
  expect((await t.call<Client>('GET', `${CLIENTS}${id}/`)).body.phone).toBe('+525599998888');
  const moved = `Email,Teléfono,País\nocho@example.com,(011) 4321-5678,Argentina\n`;
  await importFile(t, 'clients', moved, 'update');
  expect((await t.call<Client>('GET', `${CLIENTS}${id}/`)).body.phone).toBe('+541143215678');
});

test('without fix_phones cells are stored by the rule of the form, with the plus (INPUT-02)', async () => {
  const t = await createTestApp();
  const { id, forecast } = await importFile(t, 'clients', FILE, 'create', { fix_phones: false });
  expect(Object.keys(forecast.fixed)).toEqual(['country']);
  expect((await progressOf(t, id)).chosen.fix_phones).toBe(false);
  expect(await phonesOf(t)).toMatchObject({
    uno: ['+5512345678', '(55) 8765-4321'],
    dos: ['+0445512345678', 'pedir en recepción'],
    cuatro: ['+1143215678', '+54 11 4321 5678'],
    cinco: ['+525512345678'],
  });
});

test('new clients without a country are counted where their phone is none of the default one (INPUT-02, INPUT-20)', async () => {
  const t = await createTestApp();
  const file =
    'Nombre,Email,Teléfono\nA,a@example.com,11 4321 5678\nB,b@example.com,55 1234 5678\nC,c@example.com,+54 11 4321 5678\nD,d@example.com,\n';
  const { forecast } = await importFile(t, 'clients', file);
  expect(forecast.missing.country).toEqual({
    count: 1,
    samples: [{ row: 2, field: 'country', text: '', value: 'México' }],
  });
  const again = file.replaceAll('@', '2@');
  const chosen = await importFile(t, 'clients', again, 'create', { values: { country: 'AR' } });
  expect(chosen.forecast.missing).not.toHaveProperty('country');
  expect(await phonesOf(t)).toMatchObject({ a2: ['+541143215678'] });
});

test('points between the digits of a phone are no decimals: its last zeros stay (INPUT-02)', async () => {
  const t = await createTestApp();
  await importFile(
    t,
    'clients',
    'Nombre,Email,Teléfono\nA,a@example.com,+52.55.12.34.56.00\nB,b@example.com,5512345678.0\n',
  );
  expect(await phonesOf(t)).toEqual({ a: ['+525512345600'], b: ['+525512345678'] });
});

test('the run may choose otherwise than the check (INPUT-02)', async () => {
  const t = await createTestApp();
  const { id } = await createClient(t, { email: 'uno@example.com', phone: '+525500000000' });
  const file = 'Email,Teléfono\nuno@example.com,55 1234 5678\n';
  const uploaded = await t.call('POST', '/licenses/api/imports/?kind=clients', {
    payload: file,
    headers: { 'content-type': 'text/csv' },
  });
  const at = `/licenses/api/imports/${uploaded.body.id}/`;
  await t.call('POST', `${at}check/`, { body: { mode: 'update' } });
  expect((await t.call('POST', `${at}run/`, { body: { fix_phones: false } })).status).toBe(202);
  await runImport(t, uploaded.body.id);
  expect((await t.call<Client>('GET', `${CLIENTS}${id}/`)).body.phone).toBe('+5512345678');
});

test('addresses with a slip in their domain are stored and counted, those with ñ are one client (INPUT-14)', async () => {
  const t = await createTestApp();
  const file = `Nombre,Email,Teléfono
Ana,ana@gmial.com,+525512345678
Eva,eva@hotmail.con,+525512345678
Sol,sol@cemex.com,+525512345678
Luz,luz@peña.mx,+525512345678
Luz,LUZ@xn--pea-8ma.mx,+525512345678
`;
  const { forecast } = await importFile(t, 'clients', file);
  expect(forecast.email).toEqual({
    count: 2,
    samples: [
      { row: 2, field: 'email', text: 'ana@gmial.com', value: 'ana@gmial.com' },
      { row: 3, field: 'email', text: 'eva@hotmail.con', value: 'eva@hotmail.con' },
    ],
  });
  expect(forecast.to_create).toBe(4);
  expect(forecast.errors).toMatchObject([{ row: 6, field: 'email', code: 'taken' }]);
  const back = await importFile(t, 'clients', file, 'upsert');
  expect(back.forecast).toMatchObject({ to_create: 0, to_update: 0, unchanged: 4, email: { count: 0 } });
});
