import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { importFile } from '../../../test/import-file.ts';

/** The filter `import` of the lists, to which 'Ver clientes' of an import links (IMPORT-03). */

const NOW = '2026-11-21T18:00:00.000Z';

const listed = async (t: TestApp, list: string, id: number | string) => {
  const { status, body } = await t.call('GET', `/licenses/api/${list}/?import=${id}&page=1`);
  return { status, count: body.count, ids: body.results?.map((row: { id: number }) => row.id).toSorted() };
};

test('a list filtered by an import has the records it created or changed, and no others of that time (IMPORT-03)', async () => {
  const t = await createTestApp({ now: NOW });
  const ana = await createClient(t, { name: 'Ana', email: 'ana@example.com', phone: '+525512345678' });
  const same = await createClient(t, { name: 'Beto', email: 'beto@example.com', phone: '+525512345678' });
  const software = await createSoftware(t, { name: 'Caja', version: '1.0' });
  const own = await createLicense(t, { client: ana.id, software: software.id });
  const clients = await importFile(
    t,
    'clients',
    [
      'Nombre,Email,Teléfono',
      'Ana Ríos,ana@example.com,+525512345678',
      'Beto,beto@example.com,+525512345678',
      'Carla,carla@example.com,+525512345678',
    ].join('\n'),
    'upsert',
  );
  expect(clients.progress.result).toMatchObject({ created: 1, updated: 1, unchanged: 1 });
  const found = await listed(t, 'clients', clients.id);
  expect(found).toMatchObject({ status: 200, count: 2 });
  expect(found.ids).toContain(ana.id);
  expect(found.ids).not.toContain(same.id);

  const programs = await importFile(t, 'software', 'Nombre,Versión\nNómina,2.0\n');
  expect((await listed(t, 'software', programs.id)).count).toBe(1);
  const licenses = await importFile(
    t,
    'licenses',
    'Clave de Licencia,Cliente,Software,Categoría,Precio\nVIEJA-1,ana@example.com,Caja,Premium,900\n',
  );
  expect(licenses.progress.result).toMatchObject({ created: 1 });
  const imported = await listed(t, 'licenses', licenses.id);
  expect(imported.count).toBe(1);
  expect(imported.ids).not.toContain(own.id);

  // Each list contains only records of its kind; an unknown import has none; a value that is not an id is refused.
  expect((await listed(t, 'licenses', clients.id)).count).toBe(0);
  expect((await listed(t, 'clients', 999)).count).toBe(0);
  for (const list of ['clients', 'licenses', 'software']) {
    const { status, body } = await t.call('GET', `/licenses/api/${list}/?import=ayer`);
    expect([status, Object.keys(body.errors)], list).toEqual([400, ['import']]);
  }
});
