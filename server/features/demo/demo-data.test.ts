import { expect, test } from 'vitest';
import { activation } from '../../../contract/installations.ts';
import { LICENSE_KEY_PATTERN, licensePage } from '../../../contract/licenses.ts';
import { createTestApp } from '../../../test/app.ts';
import { createSoftware } from '../../../test/factories.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { insertDemoData } from './demo-data.ts';
import { turnOffReminders } from './demo-settings.ts';

async function createDemo() {
  const testApp = await createTestApp();
  const fill = () => insertDemoData(testApp.db, testApp.context.now(), testApp.context.config.timeZone);
  await fill();
  return { testApp, fill };
}

test('sample data have real keys, example.com addresses, and counters that equal their rows', async () => {
  const { testApp } = await createDemo();
  const { db } = testApp;
  const clients = await db.selectFrom('clients').selectAll().execute();
  const licenses = await db.selectFrom('licenses').selectAll().execute();
  const installations = await db.selectFrom('installations').selectAll().execute();

  expect(new Set(clients.map((client) => client.country))).toEqual(new Set(['México', 'Argentina']));
  for (const client of clients) expect(client.email).toMatch(/@(?:[a-z]+\.)?example\.com$/);
  for (const license of licenses) {
    expect(license.license_key).toMatch(LICENSE_KEY_PATTERN);
    const rows = installations.filter((installation) => installation.license_id === license.id);
    expect(license.current_installations, license.license_key).toBe(rows.length);
    expect(rows.length).toBeLessThanOrEqual(license.max_installations);
  }
  const answer = await testApp.call('GET', '/licenses/api/licenses/');
  expect(licensePage.parse(answer.body).count).toBe(licenses.length);
});

test('sample licences send no mail, and a second start adds nothing', async () => {
  const { testApp, fill } = await createDemo();
  const count = async () => (await testApp.db.selectFrom('licenses').select('id').execute()).length;
  const before = await count();
  await fill();
  expect(await count()).toBe(before);
  expect(await testApp.deliveredMail()).toEqual([]);
});

test('sample data are not added to a database with any record (promises, D006)', async () => {
  const testApp = await createTestApp();
  const own = await createSoftware(testApp);
  await insertDemoData(testApp.db, testApp.context.now(), testApp.context.config.timeZone);
  const software = await testApp.db.selectFrom('software').select('id').execute();
  expect(software).toEqual([{ id: own.id }]);
  expect(await testApp.db.selectFrom('clients').select('id').execute()).toEqual([]);
});

test('the examples of the API document work on the sample data', async () => {
  const { testApp } = await createDemo();
  const [example] = (activation.meta()?.examples ?? []) as { license_key: string; machine_id: string }[];
  const answer = await testApp.call('POST', '/licenses/api/license/validate/', {
    token: null,
    body: { license_key: example?.license_key, machine_id: example?.machine_id },
  });
  expect(answer.body).toMatchObject({ valid: true, machine_registered: true });
});

test('a sample software has a unique name and version like any other (D098)', async () => {
  const { testApp } = await createDemo();
  const answer = await testApp.call('POST', '/licenses/api/software/', {
    body: { name: 'caja fácil', version: '4.2.0' },
  });
  expect(answer.status).toBe(400);
  expect(answer.body.errors.name).toEqual(['Ya existe un software con este nombre y versión']);
});

test('a demonstration reminds nobody until a user asks for it (LIFE-08)', async () => {
  const { db } = await createTestApp();
  await turnOffReminders(db);
  expect(await readSettings(db)).toMatchObject({ reminders_enabled: false, reminder_days: [30, 7, 1, -1] });
  await db.updateTable('settings').set({ changed: '{"reminders_enabled":true}' }).execute();
  await turnOffReminders(db);
  expect((await readSettings(db)).reminders_enabled).toBe(true);
});
