import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createSoftware } from '../../../test/factories.ts';
import { check, importFile, progressOf, upload } from '../../../test/import-file.ts';

/** A check tells which new clients may be those that exist (INPUT-19). */

const NONE = { count: 0, samples: [] };

async function withClient(): Promise<TestApp> {
  const t = await createTestApp();
  await createClient(t, {
    name: 'Núñez, S.A. de C.V.',
    email: 'rosa+ventas@nunez.example',
    phone: '+525587654321',
    tax_id: 'NUSA800101AB3',
  });
  return t;
}

test('a check counts the new clients that may exist, each with the surest reason and the name that is there', async () => {
  const t = await withClient();
  const file = [
    'Nombre,Apellidos,Email,Teléfono,RFC',
    'Rosa,,ROSA+facturas@nunez.example,5587654321,',
    'Otra,,a1@x.mx,5511112222,NUSA-800101-AB3',
    'Nunez,SA de CV,a2@x.mx,5511113333,',
    'Distinta,,a3@x.mx,044 55 8765 4321,',
    'Sola,,a4@x.mx,5599998888,',
    // Refused, so it is no duplicate; and what the file has twice is none either.
    'Nunez SA de CV,,sin arroba,5587654321,',
    'Sola,,a5@x.mx,5599998888,',
  ].join('\n');
  const { forecast, progress } = await importFile(t, 'clients', file);
  const value = 'Núñez, S.A. de C.V.';
  expect(forecast.duplicates).toEqual({
    count: 4,
    samples: [
      { row: 2, field: 'email', text: 'ROSA+facturas@nunez.example', value },
      { row: 3, field: 'tax_id', text: 'NUSA-800101-AB3', value },
      { row: 4, field: 'name', text: 'Nunez SA de CV', value },
      { row: 5, field: 'phone', text: '044 55 8765 4321', value },
    ],
  });
  // It never blocks.
  expect(progress.result).toMatchObject({ created: 6, rows_with_errors: 1 });
});

test('the client that a row names by its own key is no duplicate: it is changed, or the row is refused', async () => {
  const t = await withClient();
  const file = 'Nombre,Email,Teléfono\nNúñez,rosa+ventas@nunez.example,5587654321\n';
  const { body } = await upload(t, 'clients', file);
  const upsert = await check(t, body.id, 'upsert', body.mapping);
  expect(upsert.body).toMatchObject({ to_update: 1, duplicates: NONE });
  const create = await check(t, body.id, 'create', body.mapping);
  expect(create.body).toMatchObject({ to_create: 0, rows_with_errors: 1, duplicates: NONE });
});

test('licences that make their missing clients tell which of those may exist', async () => {
  const t = await withClient();
  await createSoftware(t, { name: 'Caja', version: '1.0' });
  const file = [
    'Clave,Cliente,Nombre del cliente,Software,Categoría,Precio',
    'dup-0001,rosa@nunez.example,Rosa,Caja,Básica,100',
    'dup-0002,b1@x.mx,NUNEZ SA DE CV,Caja,Básica,100',
    'dup-0003,b2@x.mx,Nueva,Caja,Básica,100',
    'dup-0004,rosa+ventas@nunez.example,Núñez SA de CV,Caja,Básica,100',
  ].join('\n');
  const { body } = await upload(t, 'licenses', file);
  const mapping = { ...body.mapping, Cliente: 'client', 'Nombre del cliente': 'client_name' };
  const { body: without } = await check(t, body.id, 'create', mapping);
  expect(without).toMatchObject({ to_create: 1, duplicates: NONE });
  const { body: forecast } = await check(t, body.id, 'create', mapping, { create_clients: true });
  expect(forecast).toMatchObject({ to_create: 4, new_clients: 3 });
  expect(forecast.duplicates).toEqual({
    count: 2,
    samples: [
      { row: 2, field: 'client', text: 'rosa@nunez.example', value: 'Núñez, S.A. de C.V.' },
      { row: 3, field: 'client_name', text: 'NUNEZ SA DE CV', value: 'Núñez, S.A. de C.V.' },
    ],
  });
});

test('who may not read clients is told of none', async () => {
  const t = await withClient();
  const made = await t.call('POST', '/licenses/api/api-keys/', {
    body: { name: 'Carga', permissions: ['clients:write', 'imports:run'] },
  });
  const token: string = made.body.key;
  const file = 'Nombre,Email,Teléfono\nNunez SA de CV,c1@x.mx,5587654321\n';
  const { body } = await upload(t, 'clients', file, token);
  const answer = await t.call('POST', `/licenses/api/imports/${body.id}/check/`, {
    token,
    body: { mode: 'create' },
  });
  expect(answer.body).toMatchObject({ to_create: 1, duplicates: NONE });
  expect((await progressOf(t, body.id)).check?.duplicates).toEqual(NONE);
});

test('the name of a client that is erased is erased from the checks that showed it', async () => {
  const t = await withClient();
  const { body } = await upload(t, 'clients', 'Nombre,Email,Teléfono\nOtra,d1@x.mx,5587654321\n');
  await check(t, body.id, 'create', body.mapping);
  const [client] = (await t.call('GET', '/licenses/api/clients/')).body.results;
  await t.call('POST', `/licenses/api/clients/${client.id}/erase/`, { body: { reason: 'x' } });
  const { forecast, findings } = await t.db
    .selectFrom('imports')
    .select(['forecast', 'findings'])
    .executeTakeFirstOrThrow();
  expect(`${forecast}${findings}`).not.toContain('Núñez');
});
