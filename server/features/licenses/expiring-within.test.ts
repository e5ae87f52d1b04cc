import { describe, expect, test } from 'vitest';
import { addDays, localDay } from '../../../contract/base/time.ts';
import { createTestApp } from '../../../test/app.ts';
import { createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { digestFigures } from '../reminders/digest-figures.ts';

/** 'Ends within n days' means local days in every place that uses it (D136). */

const ZONES = ['America/Mexico_City', 'Pacific/Auckland', 'America/Santiago'];
/** Each moment is near local midnight in one of the zones; Auckland changes its clock within 30 days of the last. */
const MOMENTS = ['2026-11-21T06:10:00.000Z', '2026-11-21T05:50:00.000Z', '2026-09-10T11:30:00.000Z'];
const DAYS = [0, 1, 5, 6, 7, 8, 29, 30, 31];

describe.each(ZONES)('in the time zone %s', (timeZone) => {
  test.each(MOMENTS)(
    'at %s a licence with n days_remaining is found by expiring_within=n, and not by n - 1',
    async (now) => {
      const t = await createTestApp({ now, env: { BUSINESS_TIMEZONE: timeZone } });
      const client = (await createClient(t)).id;
      const software = (await createSoftware(t)).id;
      const today = localDay(now, timeZone);
      for (const days of DAYS)
        await createLicense(t, { client, software, price: 10, expiry_date: addDays(today, days) });
      // Neither of them is usable.
      const values = { client, software, expiry_date: addDays(today, 3) };
      await createLicense(t, { ...values, status: 'suspended' });
      await createLicense(t, { ...values, expiry_date: addDays(today, -1) });

      const remaining = async (within: number) => {
        const { body } = await t.call('GET', `/licenses/api/licenses/?expiring_within=${within}`);
        return body.results
          .map((row: { days_remaining: number }) => row.days_remaining)
          .sort((a: number, b: number) => a - b);
      };
      const upTo = (within: number) => DAYS.filter((days) => days <= within);
      for (const within of [1, 4, 5, 7, 28, 29, 30, 31])
        expect([within, await remaining(within)]).toEqual([within, upTo(within)]);

      const figures = await t.call('GET', '/licenses/api/statistics/today/');
      expect(
        figures.body.expiring.map(({ days, count, amount }: Record<string, number>) => [days, count, amount]),
      ).toEqual([
        [7, upTo(7).length, upTo(7).length * 10],
        [30, upTo(30).length, upTo(30).length * 10],
      ]);
      const statistics = await t.call('GET', '/licenses/api/statistics/licenses/');
      expect(statistics.body.statistics.expiring_30_days).toBe(upTo(30).length);
      const bell = await t.call('GET', '/licenses/api/notifications/');
      const expiring = bell.body.results.filter(({ kind }: { kind: string }) => kind === 'expiring');
      expect(expiring).toHaveLength(upTo(30).length);
      for (const { at } of expiring) expect(at <= now).toBe(true);
      const { renewals } = await digestFigures(t.db, new Date(now), timeZone);
      expect([renewals.count, renewals.amounts]).toEqual([
        upTo(30).length,
        [{ currency: 'MXN', amount: upTo(30).length * 10 }],
      ]);
      expect(renewals.listed).toHaveLength(upTo(30).length);
    },
  );
});
