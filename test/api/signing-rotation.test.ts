import { setTimeout } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { NIGHT } from '../at-night.ts';
import { engineEnv, SHARED, startForTest } from '../faults/engines.ts';
import { call, connections, newLicense, signIn } from '../faults/http.ts';
import { type Jwk, readToken } from '../license-token.ts';
import type { RunningServer } from '../start-server.ts';

vi.setConfig({ testTimeout: 180_000 });

const engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite';
const NONCE = 'q3JX0u8c5mS1hV7bT2wYzA';

type KeyRow = { kid: string; state: string };

const keysOf = async (server: RunningServer): Promise<Jwk[]> =>
  (await call(server, 'GET', '/.well-known/jwks.json')).body.keys;

/**
 * Two replicas on a shared PostgreSQL database. On SQLite both are the same process, because only one may use a file.
 */
async function startReplicas(): Promise<[RunningServer, RunningServer]> {
  const env = { ...(await engineEnv(engine)), ...SHARED };
  if (engine === 'sqlite') {
    const only = await startForTest(env);
    return [only, only];
  }
  return Promise.all([startForTest(env), startForTest(env)]);
}

test('with concurrent rotations and a killed process every token verifies and no key is lost', {
  tags: [NIGHT, 'PROG-01'],
}, async () => {
  const [first, second] = await startReplicas();
  const { token } = await signIn(first);
  const { license_key } = await newLicense(first, token);
  const agent = connections(4);
  const list = async (server: RunningServer): Promise<KeyRow[]> =>
    (await call(server, 'GET', '/licenses/api/signing-keys/', { token })).body.results;
  const inState = async (server: RunningServer, state: string) =>
    (await list(server)).filter((key) => key.state === state).map(({ kid }) => kid);
  const validate = async (server: RunningServer, machine_id: string): Promise<string> => {
    const body = { license_key, machine_id, nonce: NONCE };
    return (await call(server, 'POST', '/licenses/api/license/validate/', { body, agent })).body.token;
  };

  // Both processes started at once on an empty database, and together created one current and one next key.
  expect([await inState(first, 'current'), await inState(second, 'next')].map((kids) => kids.length)).toEqual(
    [1, 1],
  );

  const faults: unknown[] = [];
  const kids = new Set<string>();
  let tokens = 0;
  let stopped = false;
  const program = async (signer: RunningServer, other: RunningServer, name: string) => {
    for (let i = 0; !stopped; i += 1) {
      // Changes the machine regularly, because each may make 60 calls a minute.
      const answer = await validate(signer, `${name}-${Math.floor(i / 40)}`);
      try {
        kids.add(readToken(answer, await keysOf(other)).header.kid);
        tokens += 1;
      } catch (error) {
        faults.push(error);
      }
    }
  };
  const programs = [program(first, second, 'a'), program(second, first, 'b')];
  for (let round = 0; round < 4; round += 1) {
    const [next] = await inState(second, 'next');
    const rotated = await call(
      round % 2 === 0 ? first : second,
      'POST',
      '/licenses/api/signing-keys/rotate/',
      {
        token,
      },
    );
    expect(rotated.status).toBe(200);
    // The other process uses the new key at once.
    for (const server of [first, second]) {
      expect(readToken(await validate(server, `c-${round}`), await keysOf(server)).header.kid).toBe(next);
    }
    await setTimeout(50);
  }
  stopped = true;
  await Promise.all(programs);
  expect(faults).toEqual([]);
  expect(tokens).toBeGreaterThan(20);
  expect(kids.size).toBeGreaterThan(1);

  // A process is killed during rotations.
  const old = await validate(second, 'd');
  const rotations = Array.from({ length: 6 }, () =>
    call(first, 'POST', '/licenses/api/signing-keys/rotate/', { token }).catch(() => null),
  );
  await setTimeout(5);
  await first.kill();
  await Promise.all(rotations);
  await first.restart();
  expect(await inState(first, 'current')).toHaveLength(1);
  expect(await inState(first, 'next')).toHaveLength(1);
  expect(readToken(old, await keysOf(first)).claims.valid).toBe(true);
  expect(readToken(await validate(first, 'e'), await keysOf(second)).claims.nonce).toBe(NONCE);
  agent.destroy();
});
