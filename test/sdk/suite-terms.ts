import { describe, expect, test } from 'vitest';
import { daysRemaining } from '../../contract/base/time.ts';
import { usableUntil } from '../../contract/licenses/license-state.ts';
import { fileOf } from './clock-attacks.ts';
import { newPair } from './forge.ts';
import { DAY, nowInSeconds, readStore } from './scene.ts';
import { good, refusal, type Suite } from './suite-base.ts';

const TIME_ZONE = 'America/Mexico_City';
const HOUR = 60 * 60;

/** Tests of a result's values about the licence, online and offline. */
export function termsTests(suite: Suite): void {
  const { copyOf } = suite;
  describe('the terms of a licence in a result', () => {
    const unknown = {
      ...{ expiresAt: null, inGrace: false, graceUntil: null, offlineUntil: null, type: null, status: null },
      ...{ nextCheck: HOUR, updatesUntil: null, daysLeft: 0, offline: false },
    };
    const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString();

    test('a licence without an end has no days left, but days without connection', async () => {
      const { config, license } = await suite.newProgram();
      const outcome = {
        ...unknown,
        ...{ type: license.license_type, status: 'active', daysLeft: null },
      };
      const online = await suite.scene.terms(config);
      const offlineUntil = isoOf(readStore(config.store).issued + 7 * DAY);
      expect(online).toEqual({ ...outcome, offlineUntil });
      const cut = { ...config, server: suite.scene.nowhere };
      for (const clock of [nowInSeconds(), nowInSeconds() + 6 * DAY]) {
        expect(await suite.scene.terms({ ...cut, clock })).toEqual({
          ...outcome,
          offlineUntil,
          offline: true,
        });
      }
    });

    test('days left equal those of the console, with and without connection', async () => {
      const ends = [new Date(Date.now() + 3.3 * DAY * 1000).toISOString(), undefined];
      for (const expiry_date of ends) {
        const license = await suite.scene.newLicense({
          expiry_date,
          expiry_days: expiry_date ? undefined : 5,
        });
        const config = await suite.scene.program({ key: license.license_key });
        const daysAt = (clock: number) =>
          daysRemaining(license.expiry_date, new Date(clock * 1000), TIME_ZONE);
        const { daysLeft, expiresAt } = await suite.scene.terms(config);
        expect(daysLeft).toBe(daysAt(readStore(config.store).issued));
        expect(expiresAt).toBe(new Date(license.expiry_date!).toISOString());
        for (let hours = 1; hours < 72; hours += 5) {
          const clock = nowInSeconds() + hours * HOUR;
          const result = await suite.scene.terms({ ...config, server: suite.scene.nowhere, clock });
          expect(result).toMatchObject({ daysLeft: daysAt(clock), expiresAt, offline: true });
        }
      }
    });

    test('during grace the result has its end, also without connection', async () => {
      const license = await suite.scene.newLicense({ expiry_days: 2, grace_days: 4 });
      const config = await suite.scene.program({ key: license.license_key });
      expect(await suite.scene.terms(config)).toMatchObject({ inGrace: false, graceUntil: null });
      const graceUntil = usableUntil({ expiry_date: license.expiry_date!, grace_days: 4 }, TIME_ZONE);
      const clock = Math.floor(Date.parse(license.expiry_date!) / 1000) + DAY;
      const later = { ...config, server: suite.scene.nowhere, clock };
      expect(await suite.scene.terms(later)).toMatchObject({
        ...{ inGrace: true, graceUntil: new Date(graceUntil!).toISOString(), daysLeft: 0 },
      });
    });

    test('a refusal has the known terms of the licence', async () => {
      const { type, status } = await suite.scene.terms(copyOf(suite.suspended));
      expect({ type, status }).toEqual({ type: suite.scene.license.license_type, status: 'suspended' });
      const yesterday = new Date(Date.now() - 2 * DAY * 1000).toISOString().slice(0, 10);
      const expired = await suite.scene.newLicense({ expiry_date: yesterday, expiry_days: undefined });
      expect(await suite.scene.terms(await suite.scene.program({ key: expired.license_key }))).toMatchObject({
        ...{ expiresAt: new Date(expired.expiry_date!).toISOString(), offlineUntil: null, daysLeft: 0 },
      });
    });

    test('without an answer of the server the terms are unknown', async () => {
      const config = await suite.scene.program({ server: suite.scene.nowhere });
      expect(await suite.scene.terms(config)).toEqual(unknown);
    });

    test('a floating licence is checked again after half of its lease', async () => {
      const license = await suite.scene.newLicense({ seat_mode: 'floating', lease_minutes: 30 });
      const config = await suite.scene.program({ key: license.license_key, machine_id: 'caja-11' });
      const { nextCheck } = await suite.scene.terms(config);
      expect(nextCheck).toBeGreaterThan(890);
      expect(nextCheck).toBeLessThanOrEqual(900);
    });

    test('the last day of updates is read from the token, and days are right when the server sends no zone', async () => {
      const pair = newPair();
      const end = nowInSeconds() + 9 * DAY + HOUR;
      const changes = { updates_until: '2027-01-31', license_expires: isoOf(end) };
      const file = fileOf(suite.scene, pair, 0, 9, changes);
      const config = await suite.scene.program({ server: suite.scene.nowhere, keys: [pair.jwk], file });
      expect(await suite.scene.terms(config)).toMatchObject({
        ...{ updatesUntil: '2027-01-31', daysLeft: 9, expiresAt: isoOf(end), type: 'enterprise' },
      });
    });

    test('a build released after the last day of updates is refused with and without connection, an older one is not', async () => {
      const license = await suite.scene.newLicense({ updates_until: '2026-01-31' });
      const config = await suite.scene.program({ key: license.license_key, released_on: '2026-01-31' });
      expect(await suite.scene.check(config)).toEqual(good);
      const later = { ...config, released_on: '2026-02-01' };
      const away = { ...later, server: suite.scene.nowhere };
      expect(await suite.scene.check(away)).toEqual(refusal('updates_ended', true));
      expect(await suite.scene.check({ ...away, released_on: '2025-12-31' })).toMatchObject({
        ok: true,
        offline: true,
      });
      expect(await suite.scene.check(later)).toEqual(refusal('updates_ended', false));
      expect(await suite.scene.terms(later)).toMatchObject({ updatesUntil: '2026-01-31' });
      expect(await suite.scene.check(config)).toEqual(good);
      // For a program that does not send its release day, updates are not checked.
      expect(await suite.scene.check({ ...config, released_on: undefined })).toEqual(good);
    });

    test('a build that is not a date is an invalid option', async () => {
      const config = await suite.scene.program();
      expect(await suite.scene.ask({ do: 'open', ...config, released_on: '21/11/2026' })).toMatch(
        /released_?on/i,
      );
    });
  });
}
