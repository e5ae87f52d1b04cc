import { beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType } from '../../../test/factories.ts';
import { setSettings } from '../../../test/portal.ts';
import { runJob } from '../../../test/run-job.ts';
import { reminderJob } from './reminder-job.ts';

/** The payment address in reminders (PAY-07). */

const NOW = '2026-11-21T18:00:00.000Z';
/** The next day, at 09:00 in México. */
const NEXT = '2026-11-22T15:00:00.000Z';
const ENDS = '2026-12-22';

let t: TestApp;
beforeEach(async () => {
  t = await createTestApp({ now: NOW });
  await setSettings(t, { reminders_enabled: true, payment_in_reminders: true });
  await runJob(t.context, reminderJob);
});

/** The text of the single reminder, as it is sent. */
async function remind(): Promise<string> {
  t.clock.set(NEXT);
  t.token = await signInAs(t, 'admin', 'admin123');
  await runJob(t.context, reminderJob);
  const mails = (await t.deliveredMail()).filter(({ subject }) =>
    /licencia.*(vence|vencen)/.test(subject ?? ''),
  );
  expect(mails).toHaveLength(1);
  return mails[0]?.text ?? '';
}

const requests = async () => (await t.call('GET', '/licenses/api/payment-requests/')).body.results;

describe('payment_url of a reminder', () => {
  test('is that of a new request by the system for all licences that can be renewed, without a separate mail', async () => {
    const { id: client } = await createClient(t);
    const first = await createLicense(t, { client, expiry_date: ENDS });
    const second = await createLicense(t, { client, expiry_date: ENDS });
    await createLicense(t, { client, expiry_date: ENDS, status: 'trial', license_type: 'trial' });
    await createLicense(t, { client, expiry_date: ENDS, price: 0, complimentary: true });
    const text = await remind();
    const [made, ...others] = await requests();
    expect(others).toEqual([]);
    expect(made).toMatchObject({
      state: 'open',
      actor: { kind: 'system' },
      expires_at: '2026-11-30T05:59:59.000Z',
    });
    expect(made.lines.map((line: { license: { id: number } }) => line.license.id)).toEqual([
      first.id,
      second.id,
    ]);
    expect(text).toContain(made.url);
    expect((await t.deliveredMail()).some(({ subject }) => subject?.startsWith('Su pago'))).toBe(false);
    // The stored mail does not contain the code.
    const stored = await t.db.selectFrom('outbox').select(['body_text', 'body_html']).execute();
    expect(JSON.stringify(stored)).not.toContain(made.url.split('/').at(-1));
  });

  test('is that of the open request of its licences', async () => {
    const license = await createLicense(t, { expiry_date: ENDS });
    const { body: open } = await t.call('POST', '/licenses/api/payment-requests/', {
      body: { lines: [{ license: license.id, kind: 'renewal' }], notify: false },
    });
    expect(await remind()).toContain(open.url);
    expect(await requests()).toHaveLength(1);
  });

  test('is missing when the licences have several currencies', async () => {
    const { id: client } = await createClient(t);
    await createLicense(t, { client, expiry_date: ENDS });
    await createLicense(t, { client, expiry_date: ENDS, currency: 'USD', price: 5 });
    expect(await remind()).not.toContain('/pagar/');
    expect(await requests()).toEqual([]);
  });

  test.each(['off', 'nobody'])(
    'is missing when reminders have no payment links or nobody takes payments: %s',
    async (why) => {
      await createLicense(t, { expiry_date: ENDS, license_type_config: (await createLicenseType(t)).id });
      if (why === 'off') await setSettings(t, { payment_in_reminders: false });
      else t.context.config.demo = false;
      expect(await remind()).not.toContain('/pagar/');
      expect(await requests()).toEqual([]);
    },
  );
});
