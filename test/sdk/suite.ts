import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findToolchain, type Language } from '../../tools/toolchains.ts';
import { attackTests } from './suite-attacks.ts';
import { backgroundTests } from './suite-background.ts';
import { Suite } from './suite-base.ts';
import { clockTests } from './suite-clock.ts';
import { meterTests } from './suite-meters.ts';
import { offlineTests } from './suite-offline.ts';
import { portalTests } from './suite-portal.ts';
import { readsTests } from './suite-reads.ts';
import { releaseTests } from './suite-release.ts';
import { serverTests } from './suite-server.ts';
import { situationTests } from './suite-situations.ts';
import { termsTests } from './suite-terms.ts';
import { toldTests } from './suite-told.ts';
import { trialTests, usageTests } from './suite-usage.ts';

const vectorsFile = join(import.meta.dirname, '..', '..', 'sdk', 'vectors.json');
const vectors: { cases: { name: string; expect: object }[] } = JSON.parse(readFileSync(vectorsFile, 'utf8'));

/**
 * The tests of one SDK through its driver: all vectors, the real server, failing networks, and attacks. If the
 * toolchain is missing, nothing runs, and the gate reports the language.
 */
export async function testSdk(language: Language): Promise<void> {
  const tool = await findToolchain(language);
  describe(`the SDK for ${language}`, { tags: ['PROG-07'] }, () => {
    if (tool === undefined) {
      test('is not tested because its toolchain is missing', ({ skip }) => skip());
      return;
    }
    const suite = new Suite(language);
    // Go compiles its whole library first where nobody built with it before.
    beforeAll(() => suite.start(tool), 300_000);
    afterAll(() => suite.scene?.stop());
    afterEach(() => {
      expect(suite.scene.limited(), 'the server answered 429: the test needs suite.newProgram()').toBe(0);
    });

    test('judges every test vector as expected', async () => {
      const verdicts = await suite.scene.ask({ do: 'vectors', file: vectorsFile });
      expect(verdicts).toEqual(vectors.cases.map(({ name, expect: verdict }) => ({ name, ...verdict })));
    });

    releaseTests(suite);
    portalTests(suite);
    usageTests(suite);
    meterTests(suite);
    trialTests(suite);
    offlineTests(suite);
    clockTests(suite);
    termsTests(suite);
    toldTests(suite);
    backgroundTests(suite);
    readsTests(suite);
    situationTests(suite);
    attackTests(suite);
    // Last, because it rotates the keys.
    serverTests(suite);
  });
}
