import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newPair, signedBy, wishedClaims } from './forge.ts';
import { answer, type Behaviour } from './gateway.ts';
import { callOf, nowInSeconds, type Result, type Scene, type Why } from './scene.ts';
import type { Suite } from './suite-base.ts';

type Reported = { start: number; ms: number; result: Result & Why };
type Answered = { ms: number; result: Result & Why & { nextCheck: number } };

/**
 * Tests of programs that check in the background, and of callers who share a check. They wait for clocks, so they run
 * at the same time, each with a separate driver.
 */
export function backgroundTests(suite: Suite): void {
  describe.concurrent('tests that wait some seconds', () => waitingTests(suite));
}

function waitingTests(suite: Suite): void {
  const ask: Scene['ask'] = async (command) => {
    const driver = suite.scene.another();
    try {
      return await driver.ask(command);
    } finally {
      await driver.stop();
    }
  };
  /**
   * A vendor whose server gives the answers of a test. `next` can replace the answer to the n-th validation, `takes` are
   * the milliseconds of each answer.
   */
  const vendor = async (
    claims: object | ((validation: number) => object) = {},
    next: (validation: number) => Behaviour | undefined = () => undefined,
    takes = 100,
  ) => {
    const pair = newPair();
    const calls = { validations: 0, running: 0, most: 0 };
    const server = suite.scene.gateway.through(async (question, response) => {
      const call = callOf(question.path)!;
      if (call === 'validate') calls.validations += 1;
      const other = next(calls.validations);
      if (other) return other(question, response);
      calls.running += 1;
      calls.most = Math.max(calls.most, calls.running);
      await new Promise((resolve) => setTimeout(resolve, takes));
      calls.running -= 1;
      const changes = typeof claims === 'function' ? claims(calls.validations) : claims;
      const token = signedBy(pair, wishedClaims(question.body, call, changes));
      return answer(response, 200, { success: true, token });
    });
    return { calls, config: await suite.scene.program({ server, keys: [pair.jwk] }) };
  };
  const endsIn = (seconds: number) => ({ exp: nowInSeconds() + seconds });
  const outcomes = (reported: Reported[]) => reported.map(({ result: { ok, reason } }) => ({ ok, reason }));

  const startTests = () =>
    describe('start', () => {
      /** The first results that `onChange` got. */
      const started = (config: object, until: number): Promise<Reported[]> =>
        ask({ do: 'start', ...config, for: 60, until });

      test('checks at once and again after nextCheck, and calls back only for a change', async () => {
        const { calls, config } = await vendor((n) => ({
          ...endsIn(4),
          ...(n > 3 && { features: { otro: 3 } }),
        }));
        expect((await started(config, 2)).map(({ result }) => result.features)).toEqual([
          { modulo_nomina: true },
          { otro: 3 },
        ]);
        const { validations } = calls;
        expect(validations).toBeGreaterThan(3);
        // Longer than nextCheck: it was stopped.
        await new Promise((resolve) => setTimeout(resolve, 3000));
        expect(calls.validations).toBe(validations);
      });

      test('reports a refusal when it arrives', async () => {
        const refused = { valid: false, reason: 'suspended', seat: false, status: 'suspended' };
        const { config } = await vendor((n) => (n === 1 ? endsIn(4) : refused));
        expect(outcomes(await started(config, 2))).toEqual([
          { ok: true, reason: null },
          { ok: false, reason: 'suspended' },
        ]);
      });

      test('reports a lost connection', async () => {
        const { config } = await vendor(
          () => endsIn(14),
          (n) => (n > 1 ? (_question, response) => answer(response, 503, {}) : undefined),
        );
        expect((await started(config, 2)).map(({ result }) => result.offline)).toEqual([false, true]);
      });

      test('reports the start of a warning, so that a program can show it', async () => {
        const folder = suite.scene.newPath();
        const { config } = await vendor(() => endsIn(4));
        const running = started({ ...config, store: join(folder, 'store') }, 2);
        await expect.poll(() => existsSync(join(folder, 'store'))).toBe(true);
        // From now on nothing can be written to this folder.
        rmSync(folder, { recursive: true });
        writeFileSync(folder, '');
        const reported = await running;
        expect(reported.map(({ result: { ok, storeError } }) => ({ ok, storeError }))).toEqual([
          { ok: true, storeError: null },
          { ok: true, storeError: 'failed' },
        ]);
      });

      test('continues when the callback throws, and logs the error', async () => {
        const log = suite.scene.newPath();
        const refused = { valid: false, reason: 'suspended', seat: false };
        const { config } = await vendor((n) => (n === 1 ? endsIn(4) : refused));
        const other = suite.scene.another();
        const reported = await other.ask({
          ...{ do: 'start', ...config, for: 60, until: 2, log, throws: true },
        });
        expect(outcomes(reported)).toEqual([
          { ok: true, reason: null },
          { ok: false, reason: 'suspended' },
        ]);
        // It is written once the callback has thrown.
        await expect.poll(() => readFileSync(log, 'utf8')).toMatch(/^callback .+\ncallback .+\n$/);
        await other.stop();
      });

      test('a second start replaces the first, and checks never run twice at once', async () => {
        // So long that the second comes before the first has its answers.
        const { calls, config } = await vendor({}, undefined, 1000);
        const reported = await started({ ...config, starts: 2 }, 1);
        expect(reported.map(({ start }) => start)).toEqual([2]);
        expect(calls.most).toBe(1);
      });
    });

  // PHP has no background checks.
  if (suite.language !== 'php') startTests();

  describe('cached checks', () => {
    const rounds = (
      config: object,
      ...limits: { seconds: number; callers: number; wait?: number }[]
    ): Promise<Answered[][]> => ask({ do: 'cached', ...config, rounds: limits });

    test('several callers share one call, and its result for the seconds that they accept', async () => {
      const { calls, config } = await vendor();
      const [first, second, third] = await rounds(
        config,
        { seconds: 60, callers: 4 },
        { seconds: 60, callers: 3 },
        { seconds: 1, callers: 1, wait: 2 },
      );
      for (const { result } of [...first!, ...second!, ...third!]) {
        expect(result).toMatchObject({ ok: true, offline: false, features: { modulo_nomina: true } });
      }
      expect([first!.length, second!.length, calls.validations]).toEqual([4, 3, 2]);
    });

    test('a server that hangs delays one caller, and never those with a cached result that is still valid', async () => {
      const { config } = await vendor({}, (n) => (n > 1 ? () => {} : undefined));
      const [, hanging] = await rounds(
        { ...config, timeout: 15 },
        { seconds: 60, callers: 1 },
        { seconds: 0, callers: 4, wait: 1 },
      );
      for (const { result } of hanging!) expect(result).toMatchObject({ ok: true });
      const late = hanging!.filter(({ ms }) => ms > 14_000);
      expect(late).toHaveLength(1);
      expect(late[0]!.result).toMatchObject({ offline: true, detail: 'timeout' });
    });

    test('without a cached result all callers wait for one call', async () => {
      const { calls, config } = await vendor({}, () => () => {});
      const [waiting] = await rounds({ ...config, timeout: 2 }, { seconds: 60, callers: 3 });
      for (const { result } of waiting!) {
        expect(result).toMatchObject({ ok: false, reason: 'no_connection', detail: 'timeout' });
      }
      expect(calls.validations).toBe(1);
    });

    test('a refusal is cached too', async () => {
      const { calls, config } = await vendor({ valid: false, reason: 'suspended', seat: false });
      const answers = await rounds(config, { seconds: 60, callers: 1 }, { seconds: 3600, callers: 2 });
      for (const { result } of answers.flat()) {
        expect(result).toMatchObject({ reason: 'suspended', type: 'enterprise', offline: false });
      }
      expect(calls.validations).toBe(1);
    });

    test('no result is cached beyond its time without connection', async () => {
      const { calls, config } = await vendor(() => endsIn(3));
      const later = { seconds: 60, callers: 1, wait: 4 };
      await rounds(config, { seconds: 60, callers: 1 }, later);
      expect(calls.validations).toBe(2);
    });

    // In PHP a file beside the store contains the last result, because the processes share nothing else.
    const forgedLast = () =>
      test('a stored last result alone never lets a program run, whoever wrote it', async () => {
        const { config } = await vendor();
        const [[outcomes]] = (await rounds(config, { seconds: 60, callers: 1 })) as [[Answered]];
        expect(outcomes.result.ok).toBe(true);
        const cut = { ...config, server: suite.scene.nowhere };
        const limits = { seconds: 60, callers: 1 };
        // The file contains 'ok', but the store has no token, that of another computer, or one that has expired.
        const last = readFileSync(`${config.store}.last`, 'utf8');
        const later = nowInSeconds() + 366 * 24 * 60 * 60;
        for (const changes of [
          { store: suite.scene.newPath() },
          { machine_id: 'caja-09' },
          { clock: later },
        ]) {
          const other = { ...cut, ...changes };
          writeFileSync(`${other.store}.last`, last);
          const [[answered]] = (await rounds(other, limits)) as [[Answered]];
          expect(answered.result).toMatchObject({ ok: false, features: {} });
        }
      });
    if (suite.language === 'php') forgedLast();

    test('the result of one key is not used for another key', async () => {
      const { config } = await vendor();
      await rounds(config, { seconds: 60, callers: 1 });
      const [other] = await rounds(
        { ...config, key: 'ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ', server: suite.scene.nowhere },
        { seconds: 60, callers: 1 },
      );
      expect(other![0]!.result).toMatchObject({ ok: false, reason: 'no_connection' });
    });
  });

  describe('too many requests', () => {
    const limited =
      (after: string): Behaviour =>
      (_question, response) =>
        void response
          .writeHead(429, { 'content-type': 'application/json', 'retry-after': after })
          .end('{"code":"rate_limited"}');

    test.each([
      ['1800', 1800],
      ['99999999', 3600],
      ['Fri, 31 Dec 2100 23:59:59 GMT', 300],
    ])('never make a program work offline, with Retry-After %s', async (after, expected) => {
      const { config } = await vendor(
        () => endsIn(600),
        (n) => (n > 1 ? limited(after) : undefined),
      );
      const [fresh, again] = await ask({
        ...{ do: 'cached', ...config },
        rounds: [
          { seconds: 60, callers: 1 },
          { seconds: 0, callers: 1 },
        ],
      });
      expect(fresh[0].result).toMatchObject({ ok: true, offline: false, detail: null });
      expect(again[0].result).toMatchObject({ ok: true, offline: false, detail: 'rate_limited' });
      const { nextCheck } = again[0].result;
      expect(Math.abs(nextCheck - expected)).toBeLessThanOrEqual(2);
    });

    test('do not extend the time without connection', async () => {
      const { config } = await vendor(
        () => endsIn(3),
        (n) => (n > 1 ? limited('1') : undefined),
      );
      const [, later] = await ask({
        ...{ do: 'cached', ...config },
        rounds: [
          { seconds: 0, callers: 1 },
          { seconds: 0, callers: 1, wait: 4 },
        ],
      });
      expect(later[0].result).toMatchObject({ ok: false, reason: 'offline_expired', detail: 'rate_limited' });
    });
  });
}
