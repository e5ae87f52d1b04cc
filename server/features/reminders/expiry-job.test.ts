import { beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { insertManyLicenses } from '../../../test/many-licenses.ts';
import { runJob } from '../../../test/run-job.ts';
import { expiryJob } from './expiry-job.ts';

/** The event license.expired, once for each licence and end that has passed (LIFE-07). */

const NOW = '2026-11-21T18:00:00.000Z';

let t: TestApp;
beforeEach(async () => {
  t = await createTestApp({ now: NOW });
});

const url = (id: number, action = '') => `/licenses/api/licenses/${id}/${action}`;
const run = () => runJob(t.context, expiryJob);

/** The times of a licence's events license.expired, oldest first. */
async function expiriesOf(id: number): Promise<string[]> {
  const { body } = await t.call('GET', `/licenses/api/events/?license=${id}&type=license.expired`);
  return body.results.map(({ at }: { at: string }) => at).reverse();
}

async function moveTo(moment: string): Promise<void> {
  t.clock.set(moment);
  t.token = await signInAs(t, 'admin', 'admin123');
}

const setDate = async (id: number, expiry_date: string) =>
  expect((await t.call('PUT', url(id), { body: { expiry_date } })).status).toBe(200);

describe('the event of expiry (LIFE-07)', () => {
  test('is written once after the end, and the stored status does not change', async () => {
    const license = await createLicense(t, { expiry_date: '2026-11-25' });
    const trial = await createLicense(t, {
      status: 'trial',
      license_type: 'trial',
      expiry_date: '2026-11-25',
    });
    const { expiry_date } = license;
    await moveTo(expiry_date!);
    await run();
    expect(await expiriesOf(license.id)).toEqual([]);

    t.clock.advance(1000);
    await run();
    await run();
    const { body } = await t.call('GET', `/licenses/api/events/?license=${license.id}`);
    expect(body.results[0]).toMatchObject({
      type: 'license.expired',
      actor: { kind: 'system', id: null, name: 'Sistema' },
      subject: { kind: 'license', id: license.id, name: license.license_key },
      client: { id: license.client.id, name: license.client_name },
      changes: {},
    });
    expect(await expiriesOf(license.id)).toHaveLength(1);
    expect(await expiriesOf(trial.id)).toHaveLength(1);
    expect((await t.call('GET', url(license.id))).body).toMatchObject({ status: 'active', is_expired: true });
  });

  test('is written once when two replicas run the job at the same moment', async () => {
    const licenses = [
      await createLicense(t, { expiry_date: '2026-11-01' }),
      await createLicense(t, { expiry_date: '2026-11-02' }),
    ];
    await Promise.all([run(), run(), run()]);
    for (const { id } of licenses) expect(await expiriesOf(id)).toHaveLength(1);
  });

  test('is written for an end that was set as a date, once for each date', async () => {
    const license = await createLicense(t, { expiry_date: '2026-12-25' });
    await setDate(license.id, '2026-11-10');
    await run();
    expect(await expiriesOf(license.id)).toEqual([NOW]);

    await setDate(license.id, '2026-11-30');
    await setDate(license.id, '2026-11-10');
    await run();
    expect(await expiriesOf(license.id)).toHaveLength(1);

    await setDate(license.id, '2026-11-30');
    await run();
    expect(await expiriesOf(license.id)).toHaveLength(1);
    await moveTo('2027-02-01T00:00:00.000Z');
    await run();
    expect(await expiriesOf(license.id)).toEqual([NOW, '2027-02-01T00:00:00.000Z']);
    await setDate(license.id, '2026-11-10');
    await run();
    expect(await expiriesOf(license.id)).toHaveLength(2);
  });

  test('is written for a licence that is issued with an end in the past', async () => {
    const license = await createLicense(t, { expiry_date: '2026-11-01' });
    await run();
    expect(await expiriesOf(license.id)).toEqual([NOW]);
  });

  test('is not written while a licence is suspended, and is written when it is active again', async () => {
    const license = await createLicense(t, { expiry_date: '2026-11-25' });
    await t.call('POST', url(license.id, 'suspend/'), { body: {} });
    await moveTo('2026-12-01T18:00:00.000Z');
    await run();
    expect(await expiriesOf(license.id)).toEqual([]);
    await t.call('POST', url(license.id, 'reinstate/'), { body: {} });
    await run();
    expect(await expiriesOf(license.id)).toHaveLength(1);
    await t.call('POST', url(license.id, 'suspend/'), { body: {} });
    await t.call('POST', url(license.id, 'reinstate/'), { body: {} });
    await run();
    expect(await expiriesOf(license.id)).toHaveLength(1);
  });

  test('is not written for a cancelled, renewed or deleted licence, or one without an end', async () => {
    const cancelled = await createLicense(t, { expiry_date: '2026-11-25' });
    const renewed = await createLicense(t, { expiry_date: '2026-11-25' });
    const deleted = await createLicense(t, { expiry_date: '2026-11-25' });
    const endless = await createLicense(t, { expiry_days: null });
    await t.call('POST', url(cancelled.id, 'cancel/'), { body: {} });
    await t.call('POST', url(renewed.id, 'renew/'), { body: { expiry_days: 365 } });
    await t.call('DELETE', url(deleted.id));
    await moveTo('2026-12-01T18:00:00.000Z');
    await run();
    for (const { id } of [cancelled, renewed, deleted, endless]) expect(await expiriesOf(id)).toEqual([]);
  });

  test('is written once for each of many licences that ended while the server was down, also with two replicas', async () => {
    const client = await createClient(t);
    const software = await createSoftware(t);
    await insertManyLicenses(t.db, 450);
    await t.db.updateTable('licenses').set({ expiry_date: '2026-12-01T05:59:59.000Z' }).execute();
    await createLicense(t, { client: client.id, software: software.id, expiry_date: '2027-06-01' });
    await moveTo('2027-01-01T00:00:00.000Z');
    await Promise.all([run(), run()]);
    await run();
    const events = await t.db
      .selectFrom('events')
      .select('license_id')
      .where('type', '=', 'license.expired')
      .execute();
    expect(events).toHaveLength(450);
    expect(new Set(events.map((event) => event.license_id)).size).toBe(450);
  });
});
