import { existsSync, readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { describe, expect, test } from 'vitest';
import { fileProgram, lateProgram } from './clock-attacks.ts';
import { DAY, readStore } from './scene.ts';
import { good, refusal, type Suite } from './suite-base.ts';

const HOUR = 60 * 60;

/** Tests of the time that an offline program uses. The attacks on it are in clock-attacks.ts. */
export function clockTests(suite: Suite): void {
  const { copyOf } = suite;
  describe('the clock without connection', () => {
    const late = () => {
      const config = copyOf(suite.activated);
      return { config, ...lateProgram(suite.scene, config), kept: () => readStore(config.store) };
    };
    const going = { ...good, offline: true };

    test('many checks in one second do not shorten the time without connection', async () => {
      const { check, kept } = late();
      await check(1, 1000);
      const before = kept();
      for (let time = 0; time < 30; time += 1) expect(await check(1, 1000)).toEqual(going);
      expect(kept()).toEqual(before);
    });

    test.runIf(existsSync('/proc/uptime'))('the uptime counter is that of the operating system', async () => {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      const before = uptime();
      const config = copyOf(suite.activated, { server: suite.scene.nowhere });
      expect(await suite.scene.check(config)).toEqual(going);
      const { run, ticks } = readStore(config.store);
      expect(run).toBe(boot);
      expect(ticks).toBeGreaterThanOrEqual(Math.floor(before) - 1);
      expect(ticks).toBeLessThanOrEqual(Math.ceil(uptime()));
    });

    test('time measured by the uptime counter is counted, whatever the clock shows', async () => {
      const { check, kept } = late();
      await check(0, 1000);
      const { mark } = kept();
      expect(await check(0, 1000 + 20 * HOUR)).toEqual(going);
      expect(await check(-0.5, 1000 + 21 * HOUR)).toEqual(going);
      expect(kept()).toMatchObject({ mark: mark + 21 * HOUR, back: HOUR / 2 });
    });

    test('a restart with a clock that is not later counts as ten minutes, with a later clock as nothing', async () => {
      const { check, kept } = late();
      await check(1, 1000);
      const { mark } = kept();
      await check(1, 500);
      expect(kept().mark).toBe(mark + 600);
      await check(2, 400);
      expect(kept().mark).toBe(mark + HOUR);
    });

    test('clock steps back of up to a day in total are accepted, and a correct clock works again after a refusal', async () => {
      const { check, kept } = late();
      await check(20, 100);
      expect(await check(8, 90)).toEqual(going);
      expect(await check(20, 80)).toMatchObject(going);
      expect(await check(9, 70)).toEqual(going);
      expect(await check(7, 60)).toEqual(refusal('clock_back', true));
      expect(kept().back).toBe(23 * HOUR);
      expect(await check(30, 50)).toEqual(going);
    });

    test('an answer of the server resets all steps back', async () => {
      const { config } = await suite.newProgram();
      const { check } = lateProgram(suite.scene, config);
      await check(20, 100);
      await check(8, 90);
      expect(readStore(config.store).back).toBe(12 * HOUR);
      expect(await suite.scene.check(config)).toEqual(good);
      expect(readStore(config.store)).toMatchObject({ back: 0, leap: 0 });
    });

    test('after the clock was once far ahead a machine gets clock_back until it has a new licence file', async () => {
      const { check, file } = await fileProgram(suite.scene);
      expect(await check(2)).toEqual({ ...going, features: { modulo_nomina: true } });
      expect(await check(4000)).toEqual(refusal('offline_expired', true));
      expect(await check(2.1)).toEqual(refusal('clock_back', true));
      const renewed = file(2.2, 32.2);
      expect(await check(4000.5, renewed)).toEqual(refusal('offline_expired', true));
      expect(await check(2.3, renewed)).toMatchObject({ ok: true, offline: true });
      expect(await check(20.3, renewed)).toMatchObject({ ok: true, offline: true });
      expect(await check(33, renewed)).toEqual(refusal('offline_expired', true));
    });

    test('the steps back of one licence file do not count for the next', async () => {
      const { check, at, file } = await fileProgram(suite.scene);
      await check(3);
      await check(2.2);
      expect(readStore(at(0).store).back).toBe(Math.round(3 * DAY) - Math.round(2.2 * DAY));
      expect(await check(2.3, file(2.1, 32.1))).toMatchObject({ ok: true });
      expect(readStore(at(0).store).back).toBe(0);
    });
  });
}
