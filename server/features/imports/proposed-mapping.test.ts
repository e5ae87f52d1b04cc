import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { IMPORTS, progressOf, runImport, upload } from '../../../test/import-file.ts';

/** A check without a mapping uses the one that the upload suggested (D138). */

const HEAD = 'Nombre,Email,Teléfono\n';
const lines = (count: number) =>
  Array.from({ length: count }, (_, n) => `Ana ${n},ana${n}@mx.mx,5512345678\n`).join('');
const check = (t: TestApp, id: number, body: unknown) => t.call('POST', `${IMPORTS}${id}/check/`, { body });

test('a check without a mapping uses the proposed one, in the request and in a job (D138, IMPORT-01)', async () => {
  const t = await createTestApp();
  const small = (await upload(t, 'clients', `${HEAD}${lines(2)}`)).body;
  const checked = await check(t, small.id, { mode: 'create' });
  expect([checked.status, checked.body.to_create]).toEqual([200, 2]);
  expect((await progressOf(t, small.id)).mapping).toEqual(small.mapping);

  const large = (await upload(t, 'clients', `${HEAD}${lines(201)}`)).body;
  const asked = await check(t, large.id, { mode: 'create' });
  expect([asked.status, asked.body.state, asked.body.mapping]).toEqual([202, 'checking', large.mapping]);
  await runImport(t, large.id);
  expect(await progressOf(t, large.id)).toMatchObject({ state: 'checked', check: { to_create: 201 } });
});

test('a check without a mapping uses the proposed one also after a check with another mapping (D138)', async () => {
  const t = await createTestApp();
  const { id, mapping } = (await upload(t, 'clients', `${HEAD}Ana,ana@mx.mx,5512345678\n`)).body;
  await check(t, id, { mode: 'update', mapping: { Email: 'email' } });
  expect((await progressOf(t, id)).mapping).toEqual({ Nombre: null, Email: 'email', Teléfono: null });
  expect((await check(t, id, { mode: 'create' })).body.to_create).toBe(1);
  expect((await progressOf(t, id)).mapping).toEqual(mapping);
});

test('a proposed mapping without the columns that the mode needs is 400 at mapping (D138)', async () => {
  const t = await createTestApp();
  const { id } = (await upload(t, 'clients', 'Nombre,Correo raro\nAna,ana@mx.mx\n')).body;
  const { status, body } = await check(t, id, { mode: 'create' });
  expect([status, body.error_codes]).toEqual([400, { mapping: ['required'] }]);
  expect((await check(t, id, { mode: 'create', mapping: {} })).body.error_codes).toEqual({
    mapping: ['required'],
  });
});
