import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Driver } from './driver.ts';
import { answer, type Behaviour } from './gateway.ts';
import { type Config, nowInSeconds, proxyOf } from './scene.ts';
import type { Suite } from './suite-base.ts';

const USAGE = '/licenses/api/usage/';
const METERS = {
  facturas: { limit: 3, period: 'month', overage: 'refuse' },
  timbres: { limit: 2, period: 'never', overage: 'allow' },
  correos: { limit: null, period: 'day', overage: 'refuse' },
} as const;
const CODES = Object.keys(METERS);

/** The files of uses beside a store. */
const usageFiles = ({ store }: Config) =>
  readdirSync(dirname(store)).filter((name) => name.startsWith(`${basename(store)}.usage`));

/** Tests of what a program keeps of its meters: what is left, what is refused, and what waits. */
export function meterTests(suite: Suite): void {
  const program = async (meters: object = METERS) => {
    const { config, license } = await suite.newProgram();
    const { testApp } = suite.scene;
    const put = (values: object) =>
      testApp.call('PUT', `/licenses/api/licenses/${license.id}/`, { body: { meters: values } });
    await put(meters);
    await suite.scene.check(config);
    const used = async (code = 'facturas'): Promise<number> => {
      const { body } = await testApp.call('GET', `/licenses/api/licenses/${license.id}/usage/`);
      return body.results.find((row: { code: string }) => row.code === code).used;
    };
    return { config, license, used, put };
  };
  const remaining = (config: Config, codes = CODES) => suite.scene.ask({ do: 'remaining', ...config, codes });
  const use = (config: Config, ...uses: { code: string; amount?: number }[]) =>
    suite.scene.ask({ do: 'use', ...config, uses });
  const consume = (config: Config, ...uses: { code: string; amount?: number }[]) =>
    suite.scene.ask({ do: 'consume', ...config, uses });
  const away = (config: Config) => ({ ...config, server: suite.scene.nowhere, timeout: 2 });
  const logOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []);
  const facturas = { code: 'facturas' };

  describe('meters of a program', { tags: ['CODE-01'] }, () => {
    test('are known from the first line after a start, offline too, and what waits is not left', async () => {
      const { config } = await program();
      expect(await remaining(config)).toEqual([3, 2, null]);
      expect(await use(away(config), facturas, { code: 'timbres', amount: 2 })).toEqual([true, true]);
      expect(await remaining(away(config), [...CODES, 'otro'])).toEqual([2, 0, null, null]);
      expect(await remaining({ ...config, store: suite.scene.newPath() })).toEqual([null, null, null]);
    });

    test('stop a program of a licence of 3 at 3, and one that may exceed its limit never', async () => {
      const { config, used } = await program();
      const offline = away(config);
      expect(
        await use(offline, facturas, { code: 'facturas', amount: 3 }, facturas, facturas, facturas),
      ).toEqual([true, false, true, true, false]);
      expect(await use(offline, { code: 'timbres', amount: 5 }, { code: 'correos', amount: 9 })).toEqual([
        true,
        true,
      ]);
      const log = suite.scene.newPath();
      expect(await use({ ...offline, log }, facturas)).toEqual([false]);
      expect(logOf(log)).toEqual([expect.stringMatching(/^use_refused .*facturas/)]);
      await suite.scene.check(config);
      expect([await used(), await used('timbres'), await remaining(config)]).toEqual([3, 5, [0, 0, null]]);
      expect(usageFiles(config)).toEqual([]);
      expect(await use(config, facturas)).toEqual([false]);
    });

    test('that begin anew without a connection are whole again, and count what was used since', async () => {
      const { config } = await program({ facturas: { limit: 3, period: 'day', overage: 'refuse' } });
      const clock = nowInSeconds();
      expect(await use({ ...away(config), clock }, facturas, facturas, facturas, facturas)).toEqual([
        ...[true, true, true, false],
      ]);
      const tomorrow = { ...away(config), clock: clock + 24 * 60 * 60 };
      expect(await remaining(tomorrow, ['facturas'])).toEqual([3]);
      expect(await use(tomorrow, facturas)).toEqual([true]);
      expect(await remaining(tomorrow, ['facturas'])).toEqual([2]);
    });

    test('of a store that was changed by hand, or copied from another program, say nothing', async () => {
      const { config } = await program();
      const kept = JSON.parse(readFileSync(config.store, 'utf8'));
      const [head, body, signature] = kept.token.split('.');
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
      claims.meters[0].remaining = 1_000_000;
      const forged = Buffer.from(JSON.stringify(claims)).toString('base64url');
      writeFileSync(config.store, JSON.stringify({ ...kept, token: `${head}.${forged}.${signature}` }));
      expect(await remaining(config)).toEqual([null, null, null]);
      writeFileSync(config.store, JSON.stringify(kept));
      expect(await remaining({ ...config, machine_id: 'otro-equipo' })).toEqual([null, null, null]);
      expect(await remaining(config)).toEqual([3, 2, null]);
    });

    test('of a licence file limit a computer without connection', async () => {
      const { config, license } = await program();
      const { text } = await suite.scene.testApp.call('POST', `/licenses/api/licenses/${license.id}/file/`, {
        body: { machine_id: config.machine_id },
      });
      const offline = { ...away(config), store: suite.scene.newPath(), file: suite.scene.write(text) };
      expect(await remaining(offline)).toEqual([3, 2, null]);
      expect(await use(offline, facturas, facturas, facturas, facturas)).toEqual([true, true, true, false]);
    });

    test('that the server refuses are in the log and in the next result', async () => {
      const { config, put, used } = await program();
      await use(config, facturas, { code: 'factura', amount: 2 }, facturas);
      await put({ facturas: { ...METERS.facturas, limit: 1 } });
      const log = suite.scene.newPath();
      const { ok, refusedUses } = await suite.scene.ask({ do: 'check', ...config, log });
      expect([ok, await used()]).toEqual([true, 1]);
      expect(refusedUses).toEqual([
        { code: 'factura', amount: 2, reason: 'unknown_meter' },
        { code: 'facturas', amount: 1, reason: 'limit_reached' },
      ]);
      expect(logOf(log)).toEqual([
        expect.stringMatching(/^use_refused .*factura\b.*unknown_meter/),
        expect.stringMatching(/^use_refused .*facturas.*limit_reached/),
      ]);
      expect((await suite.scene.ask({ do: 'check', ...config })).refusedUses).toEqual([]);
    });

    test('consume is true only where the server counted it', async () => {
      const { config, used, put } = await program();
      expect(
        await consume(config, { code: 'facturas', amount: 2 }, { code: 'facturas', amount: 2 }, facturas),
      ).toEqual([true, false, true]);
      expect([await used(), await remaining(config)]).toEqual([3, [0, 2, null]]);
      const log = suite.scene.newPath();
      expect(
        await consume({ ...config, log }, facturas, { code: 'otro' }, { code: 'facturas', amount: 0 }),
      ).toEqual([...[false, false, false]]);
      expect(logOf(log)).toEqual([
        expect.stringMatching(/^use_refused .*limit_reached/),
        expect.stringMatching(/^use_refused .*unknown_meter/),
      ]);
      // The limit is raised, which the program does not know yet: the server decides.
      await put({ facturas: { ...METERS.facturas, limit: 4 } });
      expect(await consume(config, facturas)).toEqual([true]);
      expect([await used(), usageFiles(config).length > 0]).toEqual([4, true]);
      await suite.scene.check(config);
      expect([await used(), usageFiles(config), await remaining(config)]).toEqual([4, [], [0, null, null]]);
      expect(await consume(away(config), facturas)).toEqual([false]);
    });

    test('a consumption whose answer is lost counts once when it is asked again', async () => {
      const { config, used } = await program();
      const proxied = proxyOf(suite.scene.url);
      let lost = 0;
      const losing: Behaviour = async (question, response) => {
        if (question.path !== USAGE || lost > 0) return proxied(question, response);
        lost += 1;
        const headers = { 'content-type': 'application/json' };
        await fetch(suite.scene.url + USAGE, {
          method: 'POST',
          headers,
          body: JSON.stringify(question.body),
        });
        answer(response, 502, {});
      };
      const server = suite.scene.gateway.through(losing);
      expect(await consume({ ...config, server }, facturas, facturas)).toEqual([false, true]);
      expect([lost, await used()]).toEqual([1, 1]);
    });

    test('wait where a torn line stands before, and in files of a program that was killed', async () => {
      const { config, used } = await program();
      const clock = nowInSeconds();
      const line = (id: string) => `${JSON.stringify({ code: 'facturas', amount: 1, id, clock })}\n`;
      const [one, two] = ['a'.repeat(32), 'b'.repeat(32)];
      writeFileSync(`${config.store}.usage.sending`, line(one));
      writeFileSync(`${config.store}.usage.${'0'.repeat(32)}`, line(one) + line(two));
      appendFileSync(`${config.store}.usage`, '{"code":"fact');
      expect(await remaining(config, ['facturas'])).toEqual([1]);
      expect(await use(config, facturas, facturas)).toEqual([true, false]);
      await suite.scene.check(config);
      expect([await used(), usageFiles(config)]).toEqual([3, []]);
    });

    test('count although lines that no use can be stand beside them, which give nothing back', async () => {
      const { config, used } = await program();
      const one = { code: 'facturas', amount: 1, id: 'a'.repeat(32), clock: nowInSeconds() };
      const malformed = [
        ...[-1_000_000, 0, 1.5, 2_000_000_000, '1', null].map((amount) => ({ ...one, amount })),
        ...['Facturas', 'fact uras', '', 'f'.repeat(51), 7].map((code) => ({ ...one, code })),
        ...['b', 'B'.repeat(32), 'b'.repeat(70), `${'b'.repeat(31)} `, 7].map((id) => ({ ...one, id })),
        ...[-1, 1e300, '7', null].map((clock) => ({ ...one, clock })),
      ].map((line, index) => (line.id === one.id ? { ...line, id: `${index}`.padStart(32, '0') } : line));
      const lines = [...malformed, one].map((line) => `${JSON.stringify(line)}\n`).join('');
      writeFileSync(`${config.store}.usage`, lines);
      expect(await remaining(away(config), ['facturas'])).toEqual([2]);
      const { ok, refusedUses } = await suite.scene.ask({ do: 'check', ...config });
      expect([ok, refusedUses, await used(), usageFiles(config)]).toEqual([true, [], 1, []]);
    });

    test('of a time that a clock thousands of years ahead makes of them are refused, and nothing fails', async () => {
      const { config, used } = await program();
      expect(await use({ ...away(config), clock: 7 }, facturas)).toEqual([true]);
      const { ok, refusedUses } = await suite.scene.ask({ do: 'check', ...config, clock: 253_402_300_799 });
      expect([ok, refusedUses, await used(), usageFiles(config)]).toEqual([
        ...[true, [{ ...facturas, amount: 1, reason: 'out_of_time' }], 0, []],
      ]);
    });

    // A link to a folder is what nobody can read as a file, and what anybody can delete.
    test.skipIf(process.platform === 'win32')(
      'in a file that cannot be read stay for a later check',
      async () => {
        const { config, used } = await program();
        const unread = `${config.store}.usage.${'a'.repeat(32)}`;
        const folder = suite.scene.newPath();
        mkdirSync(folder);
        symlinkSync(folder, unread);
        expect(await use(config, facturas)).toEqual([true]);
        expect(await suite.scene.check(config)).toMatchObject({ ok: true });
        expect([await used(), usageFiles(config)]).toEqual([1, [basename(unread)]]);
      },
    );

    test('of four processes at once are all in files that a fifth takes away', async () => {
      const { config } = await program({ timbres: METERS.timbres });
      const uses = Array.from({ length: 300 }, () => ({ code: 'timbres' }));
      const queue = `${config.store}.usage`;
      const ids: string[] = [];
      const take = () => {
        // As a check does it: what is read now is all that anybody reads of this file.
        const own = suite.scene.newPath();
        renameSync(queue, own);
        for (const line of readFileSync(own, 'utf8').split('\n')) {
          if (line !== '') ids.push(JSON.parse(line).id);
        }
      };
      const processes = Array.from({ length: 4 }, () => suite.scene.another());
      let isOver = false;
      const taking = (async () => {
        while (!isOver) {
          await sleep(2);
          if (existsSync(queue)) take();
        }
      })();
      const said = await Promise.all(processes.map((driver) => driver.ask({ do: 'use', ...config, uses })));
      isOver = true;
      await taking;
      if (existsSync(queue)) take();
      expect(said.flat()).toEqual(Array.from({ length: 1200 }, () => true));
      expect(new Set(ids).size).toBe(1200);
    });

    test('of four processes that share a store and are killed arrive completely, and once', async () => {
      const { config, used } = await program({
        facturas: { limit: null, period: 'never', overage: 'refuse' },
      });
      const asked = { ...config, uses: Array.from({ length: 10 }, () => facturas) };
      let [kept, begun] = [0, 0];
      const start = () => suite.scene.another();
      const processes: Driver[] = [start(), start(), start(), start()];
      const until = Date.now() + 6000;
      let killed = 0;
      // As often as the server lets a machine ask: 60 calls a minute.
      const checks = async () => {
        while (Date.now() < until) {
          await sleep(1400);
          await suite.scene.check(config);
        }
      };
      await Promise.all([
        checks(),
        ...processes.map(async (_, index) => {
          let rounds = 0;
          // At most what the server takes of a machine in a minute, 100 in a call.
          while ((Date.now() < until || killed < 4) && kept + begun < 3000) {
            const driver = processes[index]!;
            begun += asked.uses.length;
            // A round in which the process dies says nothing: some of its uses were kept.
            const said = driver.ask({ do: 'use', ...asked }).catch(() => null);
            rounds += 1;
            if (rounds % 9 === index) {
              await sleep(1);
              await driver.kill();
              killed += 1;
              processes[index] = start();
            }
            const answers = await said;
            if (answers !== null) {
              kept += answers.length;
              begun -= asked.uses.length;
              expect(answers).toEqual(asked.uses.map(() => true));
            }
            // A fast SDK must not write more than the calls of a minute can send.
            await sleep(100);
          }
        }),
      ]);
      for (let check = 0; check < 3 && usageFiles(config).length > 0; check += 1) {
        await suite.scene.check(config);
      }
      const arrived = await used();
      console.log(
        `${suite.language}: ${killed} kills, kept ${kept} and up to ${begun} begun, arrived ${arrived}`,
      );
      expect(killed).toBeGreaterThan(3);
      expect(arrived).toBeGreaterThanOrEqual(kept);
      expect(arrived).toBeLessThanOrEqual(kept + begun);
    });
  });
}
