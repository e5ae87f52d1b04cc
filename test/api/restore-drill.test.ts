import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { TOTP } from 'otpauth';
import { expect, test, vi } from 'vitest';
import { DATABASE_FILE } from '../../server/db/open.ts';
import { NIGHT, POSTGRES_AT_NIGHT } from '../at-night.ts';
import { type Content, contentOf, type Row, runCopy as run } from '../copy-commands.ts';
import { emptyFolder } from '../empty-folder.ts';
import { engineEnv, SHARED, startForTest } from '../faults/engines.ts';
import { call, connections, newClient, newLicense, signIn } from '../faults/http.ts';
import { readToken } from '../license-token.ts';

// Long, because each test starts servers and commands one after the other.
vi.setConfig({ testTimeout: 240_000 });

const engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite';

const highest = (content: Content) =>
  Object.fromEntries(Object.entries(content).map(([table, rows]) => [table, rows.at(-1)?.id ?? 0]));

/**
 * The rows that the copy also contains. Ids are assigned before the commit, so a row with a lower id may be stored
 * after the copy; therefore the highest id of the copy does not determine its rows.
 */
const sharedWith = (copy: Content, all: Content): Content =>
  Object.fromEntries(
    Object.entries(all).map(([table, rows]) => {
      const ids = new Set(copy[table]?.map((row) => row.id));
      return [table, rows.filter((row) => ids.has(row.id))];
    }),
  );

test('a backup made during writes, restored on an empty machine, has equal rows and every write acknowledged before it (promises)', {
  tags: [POSTGRES_AT_NIGHT],
}, async () => {
  const env = { ...(await engineEnv(engine)), DATA_DIR: emptyFolder() };
  const server = await startForTest(env);
  const { token } = await signIn(server);
  const license = await newLicense(server, token);
  await call(server, 'POST', '/licenses/api/installations/', {
    body: { license_key: license.license_key, machine_id: 'maquina-1' },
  });

  const acknowledged: { id: number; before: boolean }[] = [];
  const refused: number[] = [];
  const agent = connections(8);
  let started = false;
  let stopped = false;
  const writer = async () => {
    while (!stopped) {
      const answer = await call(server, 'POST', '/licenses/api/clients/', {
        token,
        agent,
        body: newClient(),
      });
      if (answer.status === 201) acknowledged.push({ id: answer.body.id, before: !started });
      else refused.push(answer.status);
      // The pauses leave processor time for the backup, which otherwise takes long on a busy machine.
      await setTimeout(20);
    }
  };
  const writers = Array.from({ length: 8 }, writer);
  while (acknowledged.length < 50) await setTimeout(10);

  started = true;
  const file = join(emptyFolder(), 'copia');
  expect(await run('backup', env, file)).toEqual({
    code: 0,
    output: expect.stringContaining('Copia terminada'),
  });
  const during = acknowledged.filter((row) => !row.before).length;
  stopped = true;
  await Promise.all(writers);
  agent.destroy();
  // No write was refused during the backup.
  expect(refused).toEqual([]);
  expect(during).toBeGreaterThan(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await server.stop();

  const restored = { ...(await engineEnv(engine)), DATA_DIR: emptyFolder() };
  expect(await run('restore', restored, file)).toEqual({
    code: 0,
    output: expect.stringContaining('Copia restaurada'),
  });
  const copy = await contentOf(restored);
  expect(copy).toEqual(sharedWith(copy, await contentOf(env)));
  const ids = new Set(copy.clients?.map((row) => row.id));
  expect(acknowledged.filter(({ id, before }) => before && !ids.has(id))).toEqual([]);
  expect(copy.licenses?.length).toBeGreaterThan(0);

  // The restored installation works: it starts, users can sign in, searches find rows, ids continue.
  const again = await startForTest(restored);
  const session = await signIn(again);
  const found = await call(
    again,
    'GET',
    `/licenses/api/licenses/?page_size=5&search=${license.license_key}`,
    {
      token: session.token,
    },
  );
  expect(found.body.results.map((row: Row) => row.id)).toEqual([license.id]);
  const next = await call(again, 'POST', '/licenses/api/clients/', {
    token: session.token,
    body: newClient(),
  });
  expect(next.status).toBe(201);
  expect(next.body.id).toBeGreaterThan(highest(copy).clients ?? 0);

  const refusal = await run('restore', restored, file);
  expect(refusal.code).toBe(1);
  expect(refusal.output).toMatch(/ya está en uso|no está vacía/);
  await again.stop();
  expect((await run('restore', restored, file)).output).toMatch(/ya tiene una base de datos|no está vacía/);
});

test('a backup has the key of the second factors beside it, and a restore restores it (PEOPLE-05)', {
  tags: [NIGHT],
}, async () => {
  const env = { ...(await engineEnv(engine)), DATA_DIR: emptyFolder() };
  const server = await startForTest(env);
  const { token } = await signIn(server);
  const post = (target: { url: string }, path: string, body: object, as?: string) =>
    call(target, 'POST', `/api/auth/${path}/`, { body, ...(as !== undefined && { token: as }) });
  const { secret } = (await post(server, 'mfa/setup', { password: 'admin123' }, token)).body;
  const codeOf = (steps: number) =>
    TOTP.generate({ secret: new TOTP({ secret }).secret, timestamp: Date.now() + steps * 30_000 });
  expect((await post(server, 'mfa/enable', { code: codeOf(0) }, token)).status).toBe(200);
  const file = join(emptyFolder(), 'copia');
  expect(await run('backup', env, file)).toEqual({
    code: 0,
    output: expect.stringContaining(`Guarda también ${file}.key`),
  });
  expect(statSync(`${file}.key`).mode & 0o777).toBe(0o600);
  await server.stop();

  const withoutKey = { ...(await engineEnv(engine)), DATA_DIR: emptyFolder() };
  const alone = join(emptyFolder(), 'sola');
  copyFileSync(file, alone);
  expect(await run('restore', withoutKey, alone)).toEqual({
    code: 0,
    output: expect.stringContaining(`Falta ${alone}.key`),
  });
  const restored = { ...(await engineEnv(engine)), DATA_DIR: emptyFolder() };
  expect((await run('restore', { ...restored, SECRET_KEY: 'x'.repeat(32) }, file)).output).toContain(
    'La copia tiene su propia clave',
  );
  expect((await run('restore', restored, file)).output).not.toContain('Falta');
  expect(statSync(join(restored.DATA_DIR, 'secret.key')).mode & 0o777).toBe(0o600);
  const again = await startForTest(restored);
  const { body } = await post(again, 'login', { username: 'admin', password: 'admin123' });
  expect(body.code).toBe('mfa_required');
  const signedIn = await post(again, 'mfa/verify', { mfa_token: body.mfa_token, code: codeOf(1) });
  expect(signedIn.status).toBe(200);
});

test('a restored installation signs with the keys of the backup, and earlier tokens are still valid', {
  tags: [NIGHT, 'PROG-01'],
}, async () => {
  const env = { ...(await engineEnv(engine)), DATA_DIR: emptyFolder() };
  const server = await startForTest(env);
  const { token } = await signIn(server);
  const { license_key } = await newLicense(server, token);
  const tokenOf = async (target: { url: string }) =>
    (
      await call(target, 'POST', '/licenses/api/license/validate/', {
        body: { license_key, machine_id: 'caja-1', nonce: 'q3JX0u8c5mS1hV7bT2wYzA' },
      })
    ).body.token;
  const before = await tokenOf(server);
  const file = join(emptyFolder(), 'copia');
  expect((await run('backup', env, file)).code).toBe(0);
  await server.stop();
  // The copy contains no unencrypted private key.
  expect(readFileSync(file).includes('PRIVATE KEY')).toBe(false);

  const restored = { ...(await engineEnv(engine)), DATA_DIR: emptyFolder() };
  expect((await run('restore', restored, file)).code).toBe(0);
  const again = await startForTest(restored);
  const { keys } = (await call(again, 'GET', '/.well-known/jwks.json')).body;
  const kids = [before, await tokenOf(again)].map((text) => readToken(text, keys).header.kid);
  expect(kids[1]).toBe(kids[0]);
});

test.runIf(engine === 'sqlite')(
  'a backup with SECRET_KEY says that the key must be stored separately',
  { tags: [NIGHT] },
  async () => {
    const env = { DATA_DIR: emptyFolder(), ...SHARED };
    const server = await startForTest(env);
    await server.stop();
    const file = join(emptyFolder(), 'copia');
    expect((await run('backup', env, file)).output).toContain('SECRET_KEY no forma parte de la copia');
    expect(existsSync(`${file}.key`)).toBe(false);
  },
);

test('a backup does not overwrite a file, and a restore refuses a damaged or foreign file', async () => {
  const env = { ...(await engineEnv(engine)), DATA_DIR: emptyFolder() };
  const folder = emptyFolder();
  const file = join(folder, 'copia');
  writeFileSync(file, 'algo mío');
  expect(await run('backup', env, file)).toEqual({ code: 1, output: expect.stringContaining('ya existe') });
  expect((await run('restore', env, file)).output).toContain('no es una copia hecha con npm run backup');
  expect((await run('restore', env, join(folder, 'nada'))).output).toContain('no existe');

  writeFileSync(file, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(5000, 7)]));
  const damaged = await run('restore', env, file);
  expect(damaged).toEqual({ code: 1, output: expect.stringContaining('La copia está dañada') });
  expect(existsSync(join(env.DATA_DIR, DATABASE_FILE))).toBe(false);
});

test.runIf(engine === 'postgres')(
  'a SQLite copy restored into PostgreSQL has equal rows and continues the ids',
  { tags: [NIGHT] },
  async () => {
    const small = { DATA_DIR: emptyFolder() };
    const server = await startForTest(small);
    const { token } = await signIn(server);
    const license = await newLicense(server, token, { max_installations: 2 });
    await call(server, 'POST', '/licenses/api/installations/', {
      body: { license_key: license.license_key, machine_id: 'máquina "uno" \\ ñ 🦜' },
    });
    const last = await call(server, 'POST', '/licenses/api/clients/', { token, body: newClient() });
    await call(server, 'DELETE', `/licenses/api/clients/${last.body.id}/`, { token });
    await server.stop();
    const file = join(emptyFolder(), 'copia.sqlite');
    expect((await run('backup', small, file)).code).toBe(0);
    const key = readFileSync(join(small.DATA_DIR, 'secret.key'), 'utf8');

    const large = { ...(await engineEnv('postgres')), DATA_DIR: emptyFolder() };
    expect(await run('restore', large, file)).toEqual({
      code: 0,
      output: expect.stringContaining('Copia restaurada en PostgreSQL'),
    });
    expect(await contentOf(large)).toEqual(await contentOf(small));
    expect(readFileSync(join(large.DATA_DIR, 'secret.key'), 'utf8')).toBe(key);

    const grown = await startForTest(large);
    const session = await signIn(grown);
    const next = await call(grown, 'POST', '/licenses/api/clients/', {
      token: session.token,
      body: newClient(),
    });
    expect([next.status, next.body.id]).toEqual([201, last.body.id + 1]);
  },
);
