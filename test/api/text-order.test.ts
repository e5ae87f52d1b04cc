import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../factories.ts';

/** Lists sorted by a text have the same Spanish order on both engines (D057). */

const NAMES = ['Zeta', 'ñandú', 'Óscar', 'avila', 'Nube', 'Ávila', 'nz', 'AVILA', 'n\u0303u', 'ola', 'Na'];
/** Names that differ only in case and accents are sorted by id. */
const IN_ORDER = ['avila', 'Ávila', 'AVILA', 'Na', 'Nube', 'nz', 'ñandú', 'n\u0303u', 'ola', 'Óscar', 'Zeta'];

async function readPages(testApp: TestApp, url: string, field: string, pageSize: number): Promise<unknown[]> {
  const values: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const sign = url.includes('?') ? '&' : '?';
    const { body } = await testApp.call('GET', `${url}${sign}page=${page}&page_size=${pageSize}`);
    values.push(...body.results.map((row: Record<string, unknown>) => row[field]));
    if (body.next === null) return values;
  }
}

async function expectOrder(testApp: TestApp, url: string, field: string): Promise<void> {
  for (const pageSize of [100, 4, 1]) {
    expect(await readPages(testApp, `${url}${field}`, field, pageSize), `${pageSize}`).toEqual(IN_ORDER);
    expect(await readPages(testApp, `${url}-${field}`, field, pageSize), `-${pageSize}`).toEqual(
      IN_ORDER.toReversed(),
    );
  }
}

const LIST = '/licenses/api';

test('clients are ordered by name and by company, on pages of any size and in searches (D057)', async () => {
  const testApp = await createTestApp();
  for (const [index, name] of NAMES.entries()) {
    await createClient(testApp, { name, company: NAMES[index] ?? '', contact_person: 'Quetzal' });
  }
  await expectOrder(testApp, `${LIST}/clients/?ordering=`, 'name');
  await expectOrder(testApp, `${LIST}/clients/?ordering=`, 'company');
  await expectOrder(testApp, `${LIST}/clients/?search=quetzal&ordering=`, 'name');
  await expectOrder(testApp, `${LIST}/clients/?status=active&ordering=`, 'name');
});

test('a renamed client moves to its new place in the order (D057)', async () => {
  const testApp = await createTestApp();
  const { id } = await createClient(testApp, { name: 'Zeta' });
  await createClient(testApp, { name: 'Nube' });
  const { body: read } = await testApp.call('GET', `${LIST}/clients/${id}/`);
  const { name: _name, email, phone } = read;
  const { status } = await testApp.call('PUT', `${LIST}/clients/${id}/`, {
    body: { name: 'Árbol', email, phone },
  });
  expect(status).toBe(200);
  expect(await readPages(testApp, `${LIST}/clients/?ordering=name`, 'name', 10)).toEqual(['Árbol', 'Nube']);
});

test('software, licences by client, and licence types are ordered by name (D057)', async () => {
  const testApp = await createTestApp();
  for (const [index, name] of NAMES.entries()) {
    const client = await createClient(testApp, { name });
    const software = await createSoftware(testApp, { name, version: `1.${index}` });
    await createLicense(testApp, { client: client.id, software: software.id });
    await createLicenseType(testApp, { name });
  }
  await expectOrder(testApp, `${LIST}/software/?ordering=`, 'name');
  await expectOrder(testApp, `${LIST}/licenses/?ordering=`, 'client_name');
  for (const pageSize of [100, 4, 1]) {
    expect(await readPages(testApp, `${LIST}/license-types/`, 'name', pageSize)).toEqual(IN_ORDER);
  }
});
