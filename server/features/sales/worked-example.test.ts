import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestApp, signInAs } from '../../../test/app.ts';
import { createClient, createLicenseType, createSoftware } from '../../../test/factories.ts';

/**
 * The example of docs/payments.md and docs/es/pagos.md: what is sold, collected and receivable after each day. Both
 * tables say what this program answers.
 */

const DOCS = join(import.meta.dirname, '..', '..', '..', 'docs');
const LICENSES = '/licenses/api/licenses/';
const REQUESTS = '/licenses/api/payment-requests/';

/** The last three columns of the example's table, as numbers, a row for each day. */
function tableOf(file: string): number[][] {
  const text = readFileSync(join(DOCS, file), 'utf8');
  const rows = text.split('\n').filter((row) => /^\| \d+ (nov|Nov)/.test(row));
  return rows.map((row) =>
    row
      .split('|')
      .slice(-4, -1)
      .map((cell) => Number(cell.replaceAll(',', ''))),
  );
}

test.each(['payments.md', 'es/pagos.md'])(
  'each day of the example in docs/%s (MONEY-04 to MONEY-10)',
  async (file) => {
    const t = await createTestApp({ now: '2026-11-02T18:00:00.000Z', ownApp: true });
    const send = async (method: string, path: string, body: object = {}) => {
      const answer = await t.call(method, path, { body });
      expect([path, answer.status < 300, answer.body.errors]).toEqual([path, true, undefined]);
      return answer.body;
    };
    const goTo = async (day: number) => {
      t.clock.set(new Date(`2026-11-${String(day).padStart(2, '0')}T18:00:00.000Z`));
      t.token = await signInAs(t, 'admin', 'admin123');
    };
    const found: number[][] = [];
    const look = async () => {
      const { money } = (await t.call('GET', '/licenses/api/statistics/today/')).body;
      const [{ sold, collected, receivable }] = money;
      found.push([sold, collected, receivable]);
    };

    await send('PATCH', '/licenses/api/settings/', { tax_rate: 16 });
    const type = await createLicenseType(t, {
      name: 'Anual',
      base_price: 1200,
      renewal_price: 1000,
      max_installations: 4,
      validity_months: 12,
    });
    const sale = {
      client: (await createClient(t)).id,
      software: (await createSoftware(t)).id,
      license_type: 'premium',
      license_type_config: type.id,
    };
    const license = await send('POST', LICENSES, { ...sale, price: 1200, payment: { method: 'transfer' } });
    await look();

    await goTo(10);
    await send('POST', `${LICENSES}${license.id}/add_seats/`, { quantity: 2, payment: { request: true } });
    await look();

    await goTo(12);
    const seats = (await t.call('GET', `${REQUESTS}?state=open`)).body.results[0];
    await send('POST', `${REQUESTS}${seats.id}/mark_paid/`, {
      method: 'transfer',
      amount: 300,
      withheld: 20,
    });
    await look();

    await goTo(15);
    await send('POST', `${REQUESTS}${seats.id}/mark_paid/`, { method: 'cash' });
    await look();

    await goTo(20);
    const renewal = await send('POST', REQUESTS, { lines: [{ license: license.id, kind: 'renewal' }] });
    await look();

    await goTo(25);
    await send('POST', `${REQUESTS}${renewal.id}/mark_paid/`, { method: 'card' });
    await look();
    expect((await t.call('GET', `${LICENSES}${license.id}/`)).body).toMatchObject({
      max_installations: 6,
      expiry_date: expect.stringMatching(/^2028-11-03T05:59:59/),
    });

    await goTo(26);
    await send('POST', LICENSES, { ...sale, complimentary: true });
    await look();

    expect(tableOf(file)).toEqual(found);
  },
);
