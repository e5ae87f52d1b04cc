import { describe, expect, test } from 'vitest';
import { ANSWER_ATTACKS, STORE_ATTACKS } from './attacks.ts';
import { newPair, signedBy, wishedClaims } from './forge.ts';
import { answer } from './gateway.ts';
import { refusal, type Suite } from './suite-base.ts';

/** What attackers try; docs/sdks.md has the table. */
export function attackTests(suite: Suite): void {
  const { copyOf } = suite;
  describe('attacks on the answer', () => {
    // Not test.each, which shortens titles; scripts/sdk-table.ts reads them.
    for (const { name, behave, keys } of ANSWER_ATTACKS) {
      test(name, async () => {
        const server = suite.scene.gateway.through(await behave(suite.scene));
        const changes = { server, ...(keys && { keys: keys() }) };
        expect(await suite.scene.check(await suite.scene.program(changes))).toEqual(
          refusal('unverified', false),
        );
        // Without the server's keys the kept refusal does not verify either.
        if (!keys)
          expect(await suite.scene.check(copyOf(suite.suspended, { server }))).toEqual(
            refusal('suspended', true),
          );
      });
    }

    test('a refusal that the server did not sign: the program goes on', async () => {
      const pair = newPair();
      const [known] = await suite.scene.keys();
      for (const kid of [known!.kid, pair.jwk.kid]) {
        const server = suite.scene.gateway.through(({ body }, response) => {
          const claims = wishedClaims(body, { valid: false, reason: 'cancelled' });
          answer(response, 404, { code: 'license_not_found', token: signedBy(pair, claims, kid) });
        });
        expect(await suite.scene.check(copyOf(suite.activated, { server }))).toMatchObject({
          ok: true,
          offline: true,
        });
      }
    });
  });

  describe('attacks on what was kept', () => {
    for (const { name, prepare } of STORE_ATTACKS) {
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
