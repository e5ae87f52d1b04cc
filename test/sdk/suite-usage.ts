import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createLicenseType } from '../factories.ts';
import { answer, type Behaviour } from './gateway.ts';
import { type Config, nowInSeconds, proxyOf } from './scene.ts';
import type { Suite } from './suite-base.ts';

const USAGE = '/licenses/api/usage/';
const METERS = {
  facturas: { limit: 100, period: 'month', overage: 'refuse' },
  timbres: { limit: null, period: 'never', overage: 'allow' },
} as const;

type Used = { code: string; amount?: number };

/** Tests of reporting usage: stored in a file, sent with checks, counted once. */
export function usageTests(suite: Suite): void {
  const program = async (meters: object = METERS) => {
    const { config, license } = await suite.newProgram();
    const { testApp } = suite.scene;
    await testApp.call('PUT', `/licenses/api/licenses/${license.id}/`, { body: { meters } });
    const rows = async (): Promise<Record<string, number>> => {
      const { body } = await testApp.call('GET', `/licenses/api/licenses/${license.id}/usage/`);
      return Object.fromEntries(
        body.results.map((row: { code: string; used: number }) => [row.code, row.used]),
      );
    };
    return { config, rows };
  };
  const use = (config: Config, uses: Used[]) => suite.scene.ask({ do: 'use', ...config, uses });
  const check = (config: Config) => suite.scene.check(config);

  describe('reported usage', { tags: ['SELL-03'] }, () => {
    test('is stored without a connection, and sent once by the next check that reaches the server', async () => {
      const { config, rows } = await program();
      const offline = { ...config, server: suite.scene.nowhere, timeout: 2 };
      expect(
        await use(offline, [
          { code: 'facturas', amount: 3 },
          { code: 'facturas' },
          { code: 'timbres', amount: 7 },
        ]),
      ).toEqual([true, true, true]);
      await check(offline);
      expect(await rows()).toEqual({ facturas: 0, timbres: 0 });
      expect(
        await suite.scene.ask({ do: 'left', ...config, codes: ['facturas', 'timbres', 'otro'] }),
      ).toEqual({
        ok: true,
        left: [96, null, null],
      });
      expect(await rows()).toEqual({ facturas: 4, timbres: 7 });
      await check(config);
      expect(await rows()).toEqual({ facturas: 4, timbres: 7 });
      expect(existsSync(`${config.store}.usage`) || existsSync(`${config.store}.usage.sending`)).toBe(false);
    });

    test('whose answer is lost is sent again, and is not counted twice', async () => {
      const { config, rows } = await program();
      const proxied = proxyOf(suite.scene.url);
      let lost = 0;
      const losing: Behaviour = async (question, response) => {
        if (question.path !== USAGE) return proxied(question, response);
        await fetch(suite.scene.url + USAGE, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(question.body),
        });
        lost += 1;
        answer(response, 502, {});
      };
      await use(config, [{ code: 'facturas', amount: 5 }]);
      const server = suite.scene.gateway.through(losing);
      await check({ ...config, server });
      await use(config, [{ code: 'facturas', amount: 2 }]);
      await check({ ...config, server });
      expect(lost).toBe(2);
      await check(config);
      expect(await rows()).toMatchObject({ facturas: 7 });
    });

    test('of more than a hundred records is sent in several calls, and a broken line is skipped', async () => {
      const { config, rows } = await program({ timbres: METERS.timbres });
      expect(
        await use(
          config,
          Array.from({ length: 130 }, () => ({ code: 'timbres', amount: 2 })),
        ),
      ).toEqual(Array.from({ length: 130 }, () => true));
      appendFileSync(`${config.store}.usage`, '{"code":"timb');
      await check(config);
      expect(await rows()).toEqual({ timbres: 260 });
    });

    test('that the server refuses is not sent again', async () => {
      const { config, rows } = await program({ facturas: { ...METERS.facturas, limit: 3 } });
      await use(config, [{ code: 'facturas', amount: 3 }, { code: 'facturas' }, { code: 'otro' }]);
      expect(await suite.scene.ask({ do: 'left', ...config, codes: ['facturas'] })).toEqual({
        ok: true,
        left: [0],
      });
      expect(await rows()).toEqual({ facturas: 3 });
      expect(existsSync(`${config.store}.usage.sending`)).toBe(false);
    });

    test("is counted at its real time by the server's clock, although the computer's clock is wrong", async () => {
      const { config, rows } = await program();
      const ahead = nowInSeconds() + 20 * 60;
      await use({ ...config, clock: ahead }, [{ code: 'facturas' }]);
      await check({ ...config, clock: ahead + 60 });
      expect(await rows()).toMatchObject({ facturas: 1 });
    });

    test('with an invalid code or amount is not stored', async () => {
      const { config } = await program();
      const wrong = [
        { code: '' },
        { code: 'Ventas' },
        { code: 'a'.repeat(51) },
        { code: 'facturas', amount: 0 },
        { code: 'facturas', amount: -1 },
        { code: 'facturas', amount: 1_000_000_001 },
      ];
      expect(await use(config, wrong)).toEqual(wrong.map(() => false));
      expect(existsSync(`${config.store}.usage`)).toBe(false);
    });

    test('is stored in one line per record, with a unique id', async () => {
      const { config } = await program();
      await use(config, [{ code: 'facturas' }, { code: 'facturas' }]);
      const lines = readFileSync(`${config.store}.usage`, 'utf8')
        .trim()
        .split(/\n+/)
        .map((text) => JSON.parse(text));
      expect(lines).toEqual(
        [0, 1].map(() => ({
          ...{ code: 'facturas', amount: 1, id: expect.stringMatching(/^[0-9a-f]{32}$/) },
          clock: expect.any(Number),
        })),
      );
      expect(lines[0].id).not.toBe(lines[1].id);
    });
  });
}

/** Tests of starting a program without a key. */
export function trialTests(suite: Suite): void {
  const start = (config: Config, by: object = {}) => suite.scene.ask({ do: 'trial', ...config, ...by });
  const none = (reason: string, detail: string | null = null) => ({ key: null, reason, detail });

  const offer = async (values: object = {}) => {
    const { testApp, software } = suite.scene;
    const type = await createLicenseType(testApp, { name: 'Prueba', base_price: 1, validity_days: 15 });
    const body = { trial_type: type.id, trial_email: 'no', ...values };
    await testApp.call('PUT', `/licenses/api/software/${software.id}/`, { body });
    // Resets the limits of trials for each address and day.
    await testApp.db.deleteFrom('throttles').where('key', 'like', 'trial-%').execute();
  };
  const licenseOf = async (key: string) =>
    (await suite.scene.testApp.call('GET', `/licenses/api/licenses/?license_key=${key}`)).body.results[0];

  describe('startTrial', { tags: ['SELL-04'] }, () => {
    test('returns the key of one trial for this computer, and a check accepts it', async () => {
      await offer();
      const config = await suite.scene.program({ machine_id: `equipo-${suite.scene.newPath()}` });
      const started = await start(config);
      expect(started).toEqual({ key: expect.stringMatching(/^[2-9A-Z-]{29}$/), reason: null, detail: null });
      expect(await start(config)).toEqual(started);
      expect(await check({ ...config, key: started.key })).toMatchObject({ ok: true, reason: null });
    });

    test('returns the reason when there is no trial, or it was sold or has ended', async () => {
      await offer({ trial_type: null });
      const { testApp } = suite.scene;
      const config = await suite.scene.program({ machine_id: `equipo-${suite.scene.newPath()}` });
      expect(await start(config)).toEqual(none('not_allowed'));
      await offer({ trial_email: 'required' });
      expect(await start(config)).toEqual(none('invalid'));
      const { key } = await start(config, { email: `${Math.random()}@example.com`, name: 'Ana' });
      const { id } = await licenseOf(key);
      await testApp.db
        .updateTable('licenses')
        .set({ expiry_date: '2020-01-01T00:00:00.000Z' })
        .where('id', '=', id)
        .execute();
      expect(await start(config)).toEqual({ key, reason: 'trial_ended', detail: null });
      const sold = { status: 'active', license_type: 'premium' } as const;
      await testApp.call('PUT', `/licenses/api/licenses/${id}/`, { body: sold });
      expect(await start(config)).toEqual(none('trial_converted'));
      expect(await start({ ...config, server: suite.scene.nowhere })).toEqual(
        none('no_connection', 'unreachable'),
      );
    });

    test('refuses a key whose answer is not signed for it', async () => {
      await offer();
      const config = await suite.scene.program({ machine_id: `equipo-${suite.scene.newPath()}` });
      const other = 'ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ';
      const named = proxyOf(suite.scene.url, {
        answer: (text) => JSON.stringify({ ...JSON.parse(text), license_key: other }),
      });
      expect(await start({ ...config, server: suite.scene.gateway.through(named) })).toEqual(
        none('unverified', 'not_the_server'),
      );
      const bare: Behaviour = (_question, response) =>
        answer(response, 201, { success: true, license_key: other, valid: true, reason: null });
      expect(await start({ ...config, server: suite.scene.gateway.through(bare) })).toEqual(
        none('unverified', 'not_the_server'),
      );
      const limited: Behaviour = (_question, response) => answer(response, 429, { code: 'trial_limit' });
      expect(await start({ ...config, server: suite.scene.gateway.through(limited) })).toEqual(
        none('trial_limit'),
      );
    });
  });

  const check = (config: Config) => suite.scene.check(config);
}
