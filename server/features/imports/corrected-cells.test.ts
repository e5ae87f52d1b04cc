import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { IMPORTS, progressOf, runImport, upload } from '../../../test/import-file.ts';

/** Wrong cells are corrected where they are shown, without another file (INPUT-06). */

const post = (t: TestApp, path: string, body: object = {}) => t.call('POST', `${IMPORTS}${path}`, { body });
const HEAD = 'Lista de clientes\n\nNombre,Email,Teléfono\n';
const lines = (count: number) =>
  Array.from(
    { length: count },
    (_, n) => `Ana ${n},ana${n}@mx.mx,+525512345678\n${n % 3 === 0 ? '\n' : ''}`,
  ).join('');

test('a row of the file is shown by its number, also among blank rows (INPUT-06)', async () => {
  const t = await createTestApp();
  const { id } = (await upload(t, 'clients', `${HEAD}${lines(200)}`)).body;
  const at = async (row: number) => (await t.call('GET', `${IMPORTS}${id}/rows/${row}/`)).body;
  expect(await at(4)).toEqual({
    row: 4,
    cells: { Nombre: 'Ana 0', Email: 'ana0@mx.mx', Teléfono: '+525512345678' },
  });
  expect((await at(6)).cells.Nombre).toBe('Ana 1');
  // Three rows of data and a blank one, fifty times.
  expect((await at(4 + 199 + 67)).cells?.Nombre).toBe('Ana 199');
  for (const none of [1, 3, 5, 9999])
    expect((await t.call('GET', `${IMPORTS}${id}/rows/${none}/`)).status).toBe(404);
});

test('corrected cells are checked, kept and imported, and the file stays as it came (INPUT-06)', async () => {
  const t = await createTestApp();
  const file =
    'Nombre,Email,Teléfono\nAna,ana@mx.mx,5.25512E+11\nLuis,luis.mx.mx,+525512345678\nEva,,+525512345678\n';
  const { id } = (await upload(t, 'clients', file)).body;
  const first = await post(t, `${id}/check/`, { mode: 'create' });
  expect(first.body).toMatchObject({ to_create: 0, rows_with_errors: 3 });
  const second = await post(t, `${id}/check/`, {
    mode: 'create',
    cells: { 2: { Teléfono: '+525512345678' }, 3: { Email: 'luis@mx.mx' } },
  });
  expect(second.body).toMatchObject({ to_create: 2, rows_with_errors: 1 });
  // Those of before are kept.
  const third = await post(t, `${id}/check/`, { mode: 'create', cells: { 4: { Email: 'eva@mx.mx' } } });
  expect(third.body).toMatchObject({ to_create: 3, rows_with_errors: 0 });
  expect((await t.call('GET', `${IMPORTS}${id}/rows/3/`)).body.cells.Email).toBe('luis@mx.mx');
  expect((await t.db.selectFrom('import_chunks').select('rows').executeTakeFirstOrThrow()).rows).toContain(
    'luis.mx.mx',
  );
  await post(t, `${id}/run/`);
  await runImport(t, id);
  expect((await progressOf(t, id)).result).toMatchObject({ created: 3, errors: [] });
  const stored = await t.db.selectFrom('clients').select(['email', 'phone']).orderBy('id').execute();
  expect(stored).toEqual([
    { email: 'ana@mx.mx', phone: '+525512345678' },
    { email: 'luis@mx.mx', phone: '+525512345678' },
    { email: 'eva@mx.mx', phone: '+525512345678' },
  ]);
});

test('a cell of a row or a column that the file does not have is an error of cells (INPUT-06)', async () => {
  const t = await createTestApp();
  const { id } = (await upload(t, 'clients', 'Nombre,Email,Teléfono\nAna,ana@mx.mx,+525512345678\n')).body;
  const { status, body } = await post(t, `${id}/check/`, {
    mode: 'create',
    cells: { 9: { Email: 'a@mx.mx' }, 2: { Otra: 'x' } },
  });
  expect([status, body.errors]).toEqual([
    400,
    { cells: ['El archivo no tiene la columna «Otra»', 'El archivo no tiene la fila 9'] },
  ]);
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [n + 2, { Email: 'a@mx.mx' }]));
  const long = (await upload(t, 'clients', `Nombre,Email,Teléfono\n${lines(510).replaceAll('\n\n', '\n')}`))
    .body;
  expect(
    (await post(t, `${long.id}/check/`, { mode: 'create', cells: many })).body.errors.cells[0],
  ).toContain('hasta 500 filas');
});

test('a corrected cell loses its NUL, and counts for its row however the number is written (INPUT-06)', async () => {
  const t = await createTestApp();
  const { id } = (await upload(t, 'licenses', 'Clave,Estado\n8.93E+18,activa\nREAL-0001,activa\n')).body;
  const answer = await post(t, `${id}/check/`, {
    mode: 'update',
    cells: { '02': { Clave: '5.25E+11\0' } },
  });
  expect([answer.status, answer.body.rows_with_errors]).toEqual([200, 2]);
  expect((await t.call('GET', `${IMPORTS}${id}/rows/2/`)).body.cells.Clave).toBe('5.25E+11');
});

test('erasing a client also erases what was typed into a cell of its row (INPUT-06, PEOPLE-06)', async () => {
  const t = await createTestApp();
  const client = await t.call('POST', '/licenses/api/clients/', {
    body: { name: 'Zenaida Quetzalli', email: 'zenaida@mx.mx', phone: '+525512345678' },
  });
  const { id } = (await upload(t, 'clients', 'Nombre,Email,Teléfono\nAna,ana@mx.mx,+525512345678\nZ,mal,1\n'))
    .body;
  await post(t, `${id}/check/`, {
    mode: 'update',
    cells: { 2: { Nombre: 'Ana López' }, 3: { Email: 'zenaida@mx.mx' } },
  });
  const erased = await t.call('POST', `/licenses/api/clients/${client.body.id}/erase/`, {
    body: { reason: 'x' },
  });
  expect(erased.status).toBe(200);
  const { options } = await t.db.selectFrom('imports').select('options').executeTakeFirstOrThrow();
  expect(options).not.toContain('zenaida');
  expect(options).toContain('Ana López');
});
