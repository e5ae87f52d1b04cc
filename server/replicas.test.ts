import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { NIGHT } from '../test/at-night.ts';
import { SHARED, startForTest } from '../test/faults/engines.ts';
import { call, newLicense, signIn } from '../test/faults/http.ts';
import { createDatabase, type TestDatabase } from '../test/postgres/databases.ts';
import { startSmtpPeer } from '../test/smtp-peer.ts';
import { type RunningServer, startServer } from '../test/start-server.ts';

/** Two processes on one database: no state exists in one process only (promises: More than one machine). */

describe.runIf(process.env.TEST_ENGINE === 'postgres')('two replicas on one database', () => {
  let database: TestDatabase;
  let first: RunningServer;
  let second: RunningServer;

  beforeAll(async () => {
    database = await createDatabase();
    const env = { DATABASE_URL: database.url, DATABASE_POOL: '10', ...SHARED };
    // Both start on an empty database: one runs the migrations and fills it, the other waits.
    [first, second] = await Promise.all([startServer(env), startServer(env)]);
  });

  afterAll(async () => {
    await Promise.all([first?.stop(), second?.stop()]);
    await database.drop();
  });

  test('a refresh token rotates across replicas, and using it again on the other replica ends the session (D008)', {
    tags: [NIGHT],
  }, async () => {
    const session = await signIn(first);
    const refresh = (server: RunningServer, token: string) =>
      call(server, 'POST', '/api/auth/refresh/', { body: { refresh_token: token } });
    const isIn = async (server: RunningServer, token: string) =>
      (await call(server, 'GET', '/api/auth/user/', { token })).status === 200;

    const next = await refresh(second, session.refresh_token);
    expect(next.status).toBe(200);
    expect(await isIn(first, next.body.token)).toBe(true);

    // Two tabs refresh at the same time, each through another replica.
    const both = await Promise.all([first, second].map((server) => refresh(server, next.body.refresh_token)));
    expect(both.map((answer) => answer.status)).toEqual([200, 200]);

    await new Promise((resolve) => setTimeout(resolve, 11_000));
    expect((await refresh(first, next.body.refresh_token)).status).toBe(401);
    for (const answer of both) expect(await isIn(second, answer.body.token)).toBe(false);
  });

  test('after signing out on one replica the token is refused on the other (promises)', async () => {
    const { token } = await signIn(first);
    expect((await call(second, 'GET', '/api/auth/user/', { token })).status).toBe(200);
    expect((await call(first, 'POST', '/api/auth/logout/', { token })).status).toBe(200);
    expect((await call(second, 'GET', '/api/auth/user/', { token })).status).toBe(401);
  });

  test('failed attempts are counted across replicas, for passwords and for licence keys (D002, promises)', async () => {
    const replicas = [first, second] as const;
    const statuses = async (count: number, path: string, body: unknown) => {
      const answers = await Promise.all(
        Array.from({ length: count }, (_, index) => call(replicas[index % 2]!, 'POST', path, { body })),
      );
      return Object.fromEntries(
        [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]),
      );
    };
    expect(await statuses(16, '/api/auth/login/', { username: 'nadie', password: 'equivocada' })).toEqual({
      401: 10,
      429: 6,
    });
    const right = { username: 'admin', password: 'admin123' };
    expect(await statuses(40, '/api/auth/login/', right)).toEqual({ 200: 40 });
    const unknown = { license_key: 'AAAAA-AAAAA-AAAAA-AAAAA-AAAAA', machine_id: 'maquina-1' };
    expect(await statuses(24, '/licenses/api/installation/heartbeat/', unknown)).toEqual({ 404: 20, 429: 4 });
  });

  test('of ten concurrent registrations on two replicas one gets the first account (D005)', async () => {
    const empty = await createDatabase();
    onTestFinished(empty.drop);
    const env = {
      ...SHARED,
      DATABASE_URL: empty.url,
      DATABASE_POOL: '10',
      DEMO: '0',
    };
    const replicas = await Promise.all([startForTest(env), startForTest(env)]);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        call(replicas[index % 2]!, 'POST', '/api/auth/register/', {
          body: {
            username: `persona-${index}`,
            password: 'secreta1',
            names: 'Persona',
            email: 'persona@example.com',
          },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(403)]);
  });

  test('concurrent activations on two replicas take exactly the available seats (D119)', async () => {
    const replicas = [first, second] as const;
    const { token } = await signIn(replicas[0]);
    const license = await newLicense(replicas[0], token, { max_installations: 5 });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        call(replicas[index % 2]!, 'POST', '/licenses/api/installations/', {
          body: { license_key: license.license_key, machine_id: `maquina-${index}` },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(55);
  });

  test('two replicas that activate one machine in two spellings at once give it one seat (INPUT-09)', async () => {
    const replicas = [first, second] as const;
    const { token } = await signIn(replicas[0]);
    const license = await newLicense(replicas[0], token, { max_installations: 5 });
    const ids = ['4C4C4544-004B-4E10-804C-B4C04F4D5332', '{4c4c4544004b4e10804cb4c04f4d5332}'];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        call(replicas[index % 2]!, 'POST', '/licenses/api/installations/', {
          body: { license_key: license.license_key, machine_id: ids[index % 2] },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  test('usage reported to two replicas is counted completely, and no limit is exceeded (SELL-03)', async () => {
    const replicas = [first, second] as const;
    const { token } = await signIn(replicas[0]);
    const meters = {
      facturas: { limit: null, period: 'never', overage: 'allow' },
      timbres: { limit: 300, period: 'never', overage: 'refuse' },
    };
    const license = await newLicense(replicas[0], token, { max_installations: 20, meters });
    const said: Record<string, number> = { facturas: 0, timbres: 0 };
    const program = async (index: number) => {
      const machine = { license_key: license.license_key, machine_id: `maquina-${index}` };
      const server = replicas[index % 2]!;
      await call(server, 'POST', '/licenses/api/installations/', { body: machine });
      for (let use = 0; use < 40; use += 1) {
        const records = Object.keys(meters).map((code) => ({
          ...{ code, amount: 1 + (use % 3), request_id: `${code}-${index}-${use}` },
        }));
        const { status, body } = await call(server, 'POST', '/licenses/api/usage/', {
          body: { ...machine, records },
        });
        expect(status).toBe(200);
        for (const [at, { accepted }] of body.results.entries()) {
          if (accepted) said[records[at]!.code]! += records[at]!.amount;
        }
      }
    };
    await Promise.all(Array.from({ length: 20 }, (_, index) => program(index)));
    const path = `/licenses/api/licenses/${license.id}/usage/`;
    const { body } = await call(first, 'GET', path, { token });
    const used = Object.fromEntries(
      body.results.map((row: { code: string; used: number }) => [row.code, row.used]),
    );
    expect(used).toEqual(said);
    expect(used.timbres).toBe(300);
  });

  test('a replica whose clock is a minute ahead takes over no job that another replica is running (OPS-05)', {
    tags: [NIGHT],
  }, async () => {
    const own = await createDatabase();
    onTestFinished(own.drop);
    const peer = await startSmtpPeer();
    onTestFinished(peer.stop);
    peer.answers.message = () => 'hang';
    const env = { ...SHARED, DATABASE_URL: own.url, DATABASE_POOL: '10', SMTP_URL: peer.url };
    const right = await startForTest(env);
    const { token } = await signIn(right);
    await newLicense(right, token);
    await expect.poll(() => peer.offered).toHaveLength(1);

    const clock = join(import.meta.dirname, '..', 'test', 'shifted-clock.mjs');
    await startForTest({ ...env, NODE_OPTIONS: `--import=${clock}`, CLOCK_SHIFT_MS: '60000' });
    // The loop of the mail job looks for jobs every two seconds.
    await new Promise((resolve) => setTimeout(resolve, 6000));
    expect(peer.offered).toHaveLength(1);
    peer.release();
    await expect.poll(() => peer.accepted).toHaveLength(1);
  });
});
