import { describe, expect, test } from 'vitest';
import { addDays, endOfLocalDay, localDay } from '../../../contract/base/time.ts';
import { changeZone } from '../../../ops/change-zone.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType } from '../../../test/factories.ts';
import fc from '../../../test/properties.ts';
import { isPostgres } from '../../db/dialect.ts';
import { businessTimezone } from '../system/checks/business-timezone.ts';
import { keepZone, keptZone } from './business-zone.queries.ts';
import { movedEnd, moveEnds } from './move-ends.ts';
import { enterZone, OtherZoneError } from './running-zone.ts';

const MEXICO = 'America/Mexico_City';
const ARGENTINA = 'America/Argentina/Buenos_Aires';
/** Some with summer time, whose change may be at midnight. */
const ZONES = [MEXICO, ARGENTINA, 'America/Santiago', 'America/Asuncion', 'Europe/Madrid', 'UTC'];
const NOW = '2026-11-29T18:00:00.000Z';

const inZone = ({ context }: TestApp, timeZone: string) => ({
  ...context,
  config: { ...context.config, timeZone },
});

test('an end moves to the end of the same day, and moves back to where it was (INPUT-17)', () => {
  const zone = fc.constantFrom(...ZONES);
  fc.assert(
    fc.property(
      zone,
      zone,
      fc.nat(12_000),
      fc.integer({ min: 1, max: 86_000 }),
      (from, to, days, earlier) => {
        const day = addDays('2020-01-01', days);
        const end = endOfLocalDay(day, from);
        const moved = movedEnd(end, { from, to });
        expect(moved).toBe(endOfLocalDay(day, to));
        expect(movedEnd(moved!, { from: to, to: from })).toBe(end);
        const within = new Date(Date.parse(end) - earlier * 1000).toISOString();
        if (endOfLocalDay(localDay(within, from), from) !== within)
          expect(movedEnd(within, { from, to })).toBeNull();
      },
    ),
  );
});

describe('a start with another zone', () => {
  const DAY = '2027-11-28';
  const endOf = async (t: TestApp, id: number) =>
    (await t.call('GET', `/licenses/api/licenses/${id}/`)).body.expiry_date;

  async function installation() {
    const t = await createTestApp({ now: NOW });
    await keepZone(t.db, MEXICO);
    const byDay = await createLicense(t, { expiry_date: DAY });
    const byInstant = await createLicense(t, { expiry_date: '2027-11-28T15:00:00.000Z' });
    const over = await createLicense(t, { expiry_date: '2026-11-01' });
    await t.db
      .updateTable('license_expiries')
      .set({ noted_at: NOW })
      .where('license_id', '=', over.id)
      .execute();
    const type = await createLicenseType(t, { validity_days: 365 });
    const renewed = await createLicense(t, { license_type_config: type.id, expiry_date: DAY });
    await t.call('POST', `/licenses/api/licenses/${renewed.id}/renew/`, { body: {} });
    const waiting = await createLicense(t, {
      expiry_days: 30,
      expiry_date: null,
      start_mode: 'first_activation',
      activate_by_days: 20,
    });
    return { t, byDay, byInstant, over, renewed, waiting };
  }

  test('is reported with the number of ends that show another day, and the kept zone stays', async () => {
    const { t } = await installation();
    const found = await businessTimezone.run(inZone(t, ARGENTINA));
    // An end at 23:59:59 in México is 02:59:59 of the next day in Argentina. The end by an instant stays on its day.
    expect(found).toMatchObject({
      state: 'warning',
      message: expect.stringContaining('4 fines se muestran otro día'),
    });
    expect(await businessTimezone.run(inZone(t, MEXICO))).toMatchObject({ state: 'ok' });
    const settings = await t.call('GET', '/licenses/api/settings/');
    expect(settings.body.business_timezone).toBe(MEXICO);
  });

  test('doctor --fix moves the ends of local days, once, with one event, and keeps the new zone', async () => {
    const { t, byDay, byInstant, over, renewed, waiting } = await installation();
    const renewedTo = localDay(await endOf(t, renewed.id), MEXICO);
    const startsBy = (await t.call('GET', `/licenses/api/licenses/${waiting.id}/`)).body.activate_by;
    const there = inZone(t, ARGENTINA);
    expect(await changeZone(there)).toBeGreaterThan(0);

    expect(await endOf(t, byDay.id)).toBe(endOfLocalDay(DAY, ARGENTINA));
    expect(await endOf(t, byInstant.id)).toBe(byInstant.expiry_date);
    expect(await endOf(t, renewed.id)).toBe(endOfLocalDay(renewedTo, ARGENTINA));
    const waits = (await t.call('GET', `/licenses/api/licenses/${waiting.id}/`)).body;
    expect(waits.activate_by).toBe(endOfLocalDay(localDay(startsBy, MEXICO), ARGENTINA));
    expect(await businessTimezone.run(there)).toMatchObject({ state: 'ok' });
    expect(await keptZone(t.db)).toBe(ARGENTINA);

    const undone = await t.call('POST', `/licenses/api/licenses/${renewed.id}/undo_renewal/`, { body: {} });
    expect([undone.status, undone.body.expiry_date]).toEqual([200, endOfLocalDay(DAY, ARGENTINA)]);
    const events = await t.db
      .selectFrom('events')
      .select(['type', 'actor_kind', 'changes'])
      .where('type', '=', 'settings.updated')
      .execute();
    expect(events).toEqual([
      {
        type: 'settings.updated',
        actor_kind: 'system',
        changes: JSON.stringify({ business_timezone: { before: MEXICO, after: ARGENTINA } }),
      },
    ]);
    // Nobody is told again that a licence has expired.
    const waitingEnds = await t.db
      .selectFrom('license_expiries')
      .select('ends')
      .where('license_id', '=', over.id)
      .where('noted_at', 'is', null)
      .execute();
    expect(waitingEnds).toEqual([]);
    expect(await changeZone(there)).toBe(0);
    expect(await moveEnds(t.db, { from: MEXICO, to: ARGENTINA }, there.now())).toBe(0);
  });

  test('an open payment request keeps its last day', async () => {
    const t = await createTestApp({ now: NOW });
    await keepZone(t.db, MEXICO);
    await t.call('PUT', '/licenses/api/settings/payments/', { body: { instructions: 'CLABE 1' } });
    const client = await createClient(t);
    const type = await createLicenseType(t, { validity_days: 365 });
    const license = await createLicense(t, { client: client.id, license_type_config: type.id });
    const asked = await t.call('POST', '/licenses/api/payment-requests/', {
      body: { lines: [{ kind: 'renewal', license: license.id }], send: false },
    });
    expect(asked.status).toBe(201);
    const lastDay = localDay(asked.body.expires_at, MEXICO);
    await changeZone(inZone(t, ARGENTINA));
    const read = await t.call('GET', `/licenses/api/payment-requests/${asked.body.id}/`);
    expect(read.body.expires_at).toBe(endOfLocalDay(lastDay, ARGENTINA));
  });
});

describe('servers on one database', () => {
  test('one with another zone does not start while the others run', async () => {
    const t = await createTestApp({ now: NOW });
    const enter = (zone: string) => enterZone(t.db, zone, { now: t.context.now, onError: () => {} });
    const first = await enter(MEXICO);
    expect(first.kept).toBe(MEXICO);
    const second = await enter(MEXICO);
    if (isPostgres(t.db)) {
      await expect(enter(ARGENTINA)).rejects.toThrow(OtherZoneError);
      await first.leave();
      await expect(enter(ARGENTINA)).rejects.toThrow(
        /otro servidor de esta base de datos usa America\/Mexico_City/,
      );
      // One that was killed says nothing; after a minute it no longer counts.
      t.clock.advance(61_000);
    }
    const other = await enter(ARGENTINA);
    expect(other.kept).toBe(MEXICO);
    await Promise.all([second.leave(), other.leave()]);
    expect(await t.db.selectFrom('running_servers').selectAll().execute()).toEqual([]);
  });
});
