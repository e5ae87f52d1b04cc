import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ANSWER_ATTACKS } from './attacks.ts';
import { CLOCK_ATTACKS } from './clock-attacks.ts';
import { newPair, signedBy, wishedClaims } from './forge.ts';
import { answer } from './gateway.ts';
import { RELAY_ATTACKS, RELEASE_ATTACKS, relayOfLicence, USE_ATTACKS } from './relay-attacks.ts';
import { readStore } from './scene.ts';
import { STORE_ATTACKS } from './store-attacks.ts';
import { good, refusal, type Suite } from './suite-base.ts';

/** Tests of attacks; docs/sdks.md has the table. */
export function attackTests(suite: Suite): void {
  const { copyOf, machinesOf } = suite;
  describe('attacks on the answer', () => {
    // Not test.each, because it shortens titles, and tools/sdk-table.ts reads them.
    for (const { name, behave, keys, changes: more } of [...ANSWER_ATTACKS, ...RELAY_ATTACKS]) {
      test(name, async () => {
        const { config, license } = await suite.newProgram();
        const server = suite.scene.gateway.through(await behave({ ...suite.scene, license }));
        const changes = { server, key: config.key, ...more, ...(keys && { keys: keys() }) };
        expect(await suite.scene.check(await suite.scene.program(changes))).toEqual(
          refusal('unverified', false),
        );
        // With other keys in the program, the stored token is not valid either.
        if (keys) return;
        // If a relay forwards the validation, the server's own refusal arrives.
        expect(await suite.scene.check(copyOf(suite.suspended, { server }))).toEqual({
          ...refusal('suspended', true),
          offline: expect.any(Boolean),
        });
        expect(await suite.scene.check({ ...config, server })).toMatchObject({ ok: true });
      });
    }

    test('nine programs with invented keys behind a relay with one licence of two seats', async () => {
      const license = await suite.scene.newLicense({ max_installations: 2 });
      const server = suite.scene.gateway.through(relayOfLicence(suite.scene, license.license_key));
      for (let number = 1; number <= 9; number += 1) {
        const key = `INVEN-TADAA-CLAVE-NUMBR-0000${number}`;
        const config = await suite.scene.program({ server, key, machine_id: `pc-${number}` });
        expect(await suite.scene.check(config)).toEqual(refusal('unverified', false));
        expect(await suite.scene.check({ ...config, server: suite.scene.nowhere })).toEqual(
          refusal('no_connection', false),
        );
      }
      expect(await machinesOf(license.id)).toEqual([]);
    });

    test('a refusal that the server did not sign does not stop the program', async () => {
      const pair = newPair();
      const [known] = await suite.scene.keys();
      for (const kid of [known!.kid, pair.jwk.kid]) {
        const server = suite.scene.gateway.through(({ body }, response) => {
          const claims = wishedClaims(body, 'validate', { valid: false, reason: 'cancelled' });
          answer(response, 404, { code: 'license_not_found', token: signedBy(pair, claims, kid) });
        });
        expect(await suite.scene.check(copyOf(suite.activated, { server }))).toMatchObject({
          ok: true,
          offline: true,
        });
      }
    });
  });

  describe('attacks on the release', () => {
    for (const { name, behave } of RELEASE_ATTACKS) {
      test(name, async () => {
        const license = await suite.scene.newLicense({ self_release: true });
        const config = await suite.scene.program({ key: license.license_key });
        expect(await suite.scene.check(config)).toEqual(good);
        const before = readStore(config.store);
        const server = suite.scene.gateway.through(await behave(suite.scene));
        expect(await suite.scene.ask({ do: 'release', ...config, server })).toBe(false);
        expect(readStore(config.store)).toEqual(before);
        expect(await machinesOf(license.id)).toHaveLength(1);
        expect(await suite.scene.ask({ do: 'release', ...config })).toBe(true);
        expect(await machinesOf(license.id)).toEqual([]);
      });
    }
  });

  const useAttacks = () => {
    for (const { name, behave, code = 'facturas' } of USE_ATTACKS) {
      test(name, { tags: ['CODE-01'] }, async () => {
        const { config, license } = await suite.newProgram();
        const unlimited = { limit: null, period: 'never', overage: 'allow' };
        const meters = {
          facturas: { limit: 4, period: 'never', overage: 'refuse' },
          diario: { limit: 4, period: 'day', overage: 'refuse' },
          timbres: unlimited,
        };
        const url = `/licenses/api/licenses/${license.id}/`;
        await suite.scene.testApp.call('PUT', url, { body: { meters } });
        const server = suite.scene.gateway.through(await behave(suite.scene, license.license_key));
        const log = suite.scene.newPath();
        const uses = [{ code, amount: 2 }];
        const consume = (changes: object) => suite.scene.ask({ do: 'consume', ...config, uses, ...changes });
        expect(await consume({ server, log })).toEqual([false]);
        expect(readFileSync(log, 'utf8')).toMatch(/^(not_the_server|use_refused) /);
        expect(await consume({})).toEqual([true]);
      });
    }
  };
  describe('attacks on a use', useAttacks);

  describe('attacks on what was kept', () => {
    for (const { name, prepare } of [...STORE_ATTACKS, ...CLOCK_ATTACKS]) {
      test(name, async () => {
        const config = copyOf(suite.activated);
        const empty = await suite.scene.program();
        const { reason, ...changes } = await prepare(suite.scene, config);
        const asked = { ...suite.activated, store: empty.store, server: suite.scene.nowhere, ...changes };
        const isKnown = reason !== 'no_connection';
        expect(await suite.scene.check(asked)).toEqual(refusal(reason, isKnown));
      });
    }
  });
}
