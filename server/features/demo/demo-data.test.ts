import { describe, expect, test } from 'vitest';
import { licensePage } from '../../../contract/licenses/license-can.ts';
import { activation } from '../../../contract/programs/installations.ts';
import { LICENSE_KEY_PATTERN } from '../../../contract/reading/license-keys.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createSoftware } from '../../../test/factories.ts';
import { applyRetention } from '../system/housekeeping/retention-job.ts';
import { insertDemoData } from './demo-data.ts';

async function createDemo(now?: string) {
  const testApp = await createTestApp(now === undefined ? {} : { now });
  const fill = () => insertDemoData(testApp.context);
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

test('the first start leaves no old mail content that housekeeping would have to delete', async () => {
  for (const now of ['2026-11-21T18:00:00.000Z', '2027-03-01T05:30:00.000Z']) {
    const { testApp } = await createDemo(now);
    const signal = new AbortController().signal;
    // The retention job first runs some time after the start.
    testApp.clock.advance(60 * 60_000);
    expect(await applyRetention(testApp.context, { signal })).toEqual({ events: 0, mails: 0 });
    const mails = await testApp.db.selectFrom('outbox').select(['created_at', 'body_html']).execute();
    const before = new Date(testApp.context.now().getTime() - 90 * 24 * 60 * 60_000).toISOString();
    for (const { created_at, body_html } of mails)
      expect(created_at < before && body_html !== '').toBe(false);
    expect(mails.filter(({ body_html }) => body_html !== '').length).toBeGreaterThan(10);
  }
});

test('sample machines have names like real computers, without accents and spaces', async () => {
  const { testApp } = await createDemo();
  const machines = await testApp.db
    .selectFrom('installations')
    .select(['machine_id', 'machine_name'])
    .execute();
  for (const { machine_id, machine_name } of machines) {
    expect(machine_name).toMatch(/^[A-Z0-9]+(?:-[A-Z0-9]+)*$/);
    expect(machine_name).toBe(machine_id.toUpperCase());
  }
});

test('sample data are not added to a database with any record (promises, D006)', async () => {
  const testApp = await createTestApp();
  const own = await createSoftware(testApp);
  await insertDemoData(testApp.context);
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

test('a sample software has a unique name and version like any other software (D098)', async () => {
  const { testApp } = await createDemo();
  const answer = await testApp.call('POST', '/licenses/api/software/', {
    body: { name: 'caja fácil', version: '4.2.0' },
  });
  expect(answer.status).toBe(400);
  expect(answer.body.errors.name).toEqual(['Ya existe un software con este nombre y versión']);
});

describe('the history of the sample data', () => {
  const NOW = '2026-11-22T18:00:00.000Z';
  const historyOf = async ({ db }: TestApp) => {
    const events = await db
      .selectFrom('events')
      .select(['at', 'type', 'actor_kind', 'actor_name', 'subject_name', 'client_name', 'reason', 'changes'])
      .orderBy('id')
      .execute();
    // Without the events of the test's own account and its sign-in.
    return events.filter(({ type }) => !type.startsWith('user.'));
  };

  test('has the usual events of a licence with people, reasons and changes, oldest first', async () => {
    const { testApp } = await createDemo(NOW);
    const events = await historyOf(testApp);
    const types = new Set(events.map(({ type }) => type));
    for (const type of [
      ...[
        'issued',
        'updated',
        'renewed',
        'extended',
        'suspended',
        'reinstated',
        'cancelled',
        'transferred',
      ].map((done) => `license.${done}` as const),
      ...(['client.created', 'client.updated', 'installation.activated', 'installation.released'] as const),
    ]) {
      expect(types).toContain(type);
    }
    const times = events.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
    expect(times.at(-1)! < NOW).toBe(true);
    expect(new Set(events.map(({ actor_kind }) => actor_kind))).toEqual(new Set(['user', 'machine']));
    expect(events.find(({ type }) => type === 'license.suspended')).toMatchObject({
      actor_name: expect.stringMatching(/\w+ \w+/),
      reason: expect.stringMatching(/./),
      changes: expect.stringContaining('"after":"suspended"'),
    });
  });

  test('has licences renewed, expiring, in grace, suspended and cancelled, with one term for each sale', async () => {
    const { testApp } = await createDemo(NOW);
    const list = async (query: string) =>
      licensePage.parse((await testApp.call('GET', `/licenses/api/licenses/?page_size=100&${query}`)).body)
        .results;
    expect((await list('expiring_within=30')).length).toBeGreaterThanOrEqual(3);
    for (const status of ['active', 'trial', 'suspended', 'cancelled', 'expired']) {
      expect((await list(`status=${status}`)).length, status).toBeGreaterThan(0);
    }
    expect(
      (await list('')).filter(({ is_expired, status }) => is_expired && status === 'active'),
    ).toHaveLength(1);
    const [renewed] = await list('search=L6GXW');
    const terms = await testApp.call('GET', `/licenses/api/licenses/${renewed?.id}/terms/`);
    expect(terms.body.results.map(({ kind }: { kind: string }) => kind)).toEqual([
      'renewal',
      'renewal',
      'renewal',
      'issue',
    ]);
    const [bought] = await list('search=J8DVQ');
    expect(bought).toMatchObject({
      status: 'active',
      license_type: 'individual',
      license_type_name: 'Anual',
    });
  });

  test('gives each report a year of figures (REPORT-01)', async () => {
    const { testApp } = await createDemo(NOW);
    const report = async (kind: string) => (await testApp.call('GET', `/licenses/api/reports/${kind}/`)).body;
    const { months, totals } = await report('revenue');
    for (const { month, total } of months) expect([month, total > 0]).toEqual([month, true]);
    expect(totals[0].renewal).toBeGreaterThan(0);
    expect(totals[0].upgrade).toBeGreaterThan(0);
    expect((await report('renewals')).renewal_rate).toBeGreaterThan(50);
    expect((await report('trials')).totals[0]).toMatchObject({ begun: 8, converted: 4, lost: 2 });
    for (const { active } of (await report('licenses')).months) expect(active).toBeGreaterThan(0);
    const { unused, silent, full } = await report('usage');
    expect(Math.min(unused, silent, full)).toBeGreaterThan(0);
    const { at_risk, top } = await report('clients');
    expect(at_risk.length).toBeGreaterThan(0);
    expect(top.length).toBe(10);
  });

  test('has sent mails and one refused mail, and no mail that waits for delivery', async () => {
    const { testApp } = await createDemo(NOW);
    const mails = await testApp.db
      .selectFrom('outbox')
      .select(['status', 'created_at', 'sent_at', 'last_error'])
      .execute();
    expect(mails.length).toBeGreaterThan(25);
    expect(new Set(mails.map(({ status }) => status))).toEqual(new Set(['sent', 'failed']));
    for (const { status, created_at, sent_at, last_error } of mails) {
      if (status === 'sent') expect(sent_at).toBe(created_at);
      else expect(last_error).toMatch(/^550 /);
    }
    const waiting = await testApp.db.selectFrom('jobs').select('id').where('kind', '=', 'mail').execute();
    expect(waiting).toEqual([]);
  });

  test('is the same for two starts on one day', async () => {
    const histories = await Promise.all(
      [NOW, '2026-11-22T21:30:00.000Z'].map(async (now) => historyOf((await createDemo(now)).testApp)),
    );
    expect(histories[1]).toEqual(histories[0]);
  });
});
