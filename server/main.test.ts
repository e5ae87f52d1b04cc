import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { NIGHT, POSTGRES_AT_NIGHT } from '../test/at-night.ts';
import { emptyFolder } from '../test/empty-folder.ts';
import { engineEnv, SHARED, startForTest } from '../test/faults/engines.ts';
import { call, connections, newClient, signIn } from '../test/faults/http.ts';
import { type RunningServer, type ServerEnv, startServer } from '../test/start-server.ts';
import { DATABASE_FILE } from './db/open.ts';

/** Runs the program as an operator does: starts the process, sends a stop signal, kills it. */

// Each test starts real processes, some tests several times, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000 });

const engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite';

/** The message of a server that refuses to start. */
async function refusalOf(env: ServerEnv): Promise<string> {
  const server = await startServer(env).catch((error: Error) => error);
  if (server instanceof Error) return server.message;
  await server.stop();
  throw new Error('The server started.');
}

async function execute(server: RunningServer, env: ServerEnv, statement: string): Promise<void> {
  if (env.DATABASE_URL === undefined) {
    const database = new Database(join(server.dataDir, DATABASE_FILE));
    database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  await client.query(statement);
  await client.end();
}

test.runIf(engine === 'sqlite')(
  'a second process on the same DATA_DIR exits with the pid of the first, and a killed process leaves no lock (promises)',
  async () => {
    const dataDir = emptyFolder();
    const first = await startForTest({ DATA_DIR: dataDir });
    const { pid } = JSON.parse(readFileSync(join(dataDir, 'server.owner.json'), 'utf8'));
    const refusal = await refusalOf({ DATA_DIR: dataDir });
    expect(refusal).toContain(
      `La carpeta de datos ${dataDir} ya está en uso por el proceso ${pid} desde el `,
    );
    expect(refusal).toContain('indica otra carpeta con DATA_DIR');
    expect((await call(first, 'GET', '/api/health/')).status).toBe(200);

    await first.kill();
    const second = await startForTest({ DATA_DIR: dataDir });
    expect((await call(second, 'GET', '/api/health/')).status).toBe(200);
  },
);

test.runIf(engine === 'sqlite')(
  'a start with a damaged file prints what to do, without a stack, after the version of the database (OPS-01, OPS-06)',
  async () => {
    const dataDir = emptyFolder();
    const env = { DATA_DIR: dataDir, LOG_LEVEL: 'info' };
    const server = await startForTest(env);
    expect(server.output()).toMatch(/License Manager \d.*\n.*\n {2}Base de datos: SQLite 3\.\d+/);
    await server.stop();
    writeFileSync(join(dataDir, DATABASE_FILE), Buffer.alloc(8192, 'x'));
    const refusal = await refusalOf(env);
    expect(refusal).toContain('no es una base de datos, o su comienzo está dañado. Detén el servidor');
    expect(refusal).toContain('npm run doctor');
    expect(refusal).not.toContain('    at ');
  },
);

test('an older version of the server refuses a newer schema and does not change it (promises)', {
  tags: [NIGHT],
}, async () => {
  const env = { ...(await engineEnv(engine)), DATA_DIR: emptyFolder() };
  const server = await startForTest(env);
  await server.stop();
  await execute(server, env, "insert into kysely_migration values ('999-later', '2030-01-01T00:00:00.000Z')");

  const refusal = await refusalOf(env);
  expect(refusal).toContain('La base de datos es de una versión más nueva del programa (999-later)');
  expect(refusal).not.toContain('    at ');

  await execute(server, env, "delete from kysely_migration where name = '999-later'");
  expect((await call(await startForTest(env), 'GET', '/api/health/')).status).toBe(200);
});

test('a start with another zone says how many ends move; beside a running server it is refused (INPUT-17)', async () => {
  const env = { ...(await engineEnv(engine)), DATA_DIR: emptyFolder(), LOG_LEVEL: 'info' };
  const server = await startForTest({ ...env, BUSINESS_TIMEZONE: 'America/Mexico_City' });
  const other = { BUSINESS_TIMEZONE: 'America/Argentina/Buenos_Aires' };
  if (engine === 'postgres') {
    const refusal = await refusalOf({ ...env, ...other });
    expect(refusal).toContain('otro servidor de esta base de datos usa America/Mexico_City');
    expect(refusal).not.toContain('    at ');
  }
  await server.restart(other);
  expect(server.output()).toMatch(/los fines se guardaron en días de America\/Mexico_City: \d+ fin/);
  expect((await call(server, 'GET', '/api/health/')).body.business_timezone).toBe(other.BUSINESS_TIMEZONE);
});

test('the first log line of a first start is a link that creates the first administrator, once', {
  tags: [POSTGRES_AT_NIGHT],
}, async () => {
  const env = {
    ...(await engineEnv(engine)),
    ...{ DATA_DIR: emptyFolder(), NODE_ENV: 'production', DEMO: undefined, LOG_LEVEL: 'info' },
    ...{ PUBLIC_URL: 'https://licencias.example.com', ...SHARED },
  };
  const linkOf = (output: string) =>
    /^Crea el primer administrador \(un solo uso, 24 horas\): https:\/\/licencias\.example\.com\/primer-administrador#([\w-]{43})\n/.exec(
      output,
    )?.[1];
  const first = await startForTest(env);
  const token = linkOf(first.output());
  expect(token).toBeDefined();
  // Replicas share a database, and only the newest link is valid.
  const replica = engine === 'postgres' ? await startForTest({ ...env, DATA_DIR: emptyFolder() }) : first;
  const newest = linkOf(replica.output());
  const create = (server: RunningServer, username: string, link = newest) =>
    call(server, 'POST', '/api/auth/first-admin/', {
      body: {
        token: link,
        username,
        names: 'Ana',
        email: `${username}@example.com`,
        password: 'tres tristes tigres',
      },
    });
  if (newest !== token) expect((await create(first, 'vieja', token)).body.code).toBe('invalid_token');
  const tries = await Promise.all([create(first, 'ana'), create(replica, 'eva')]);
  expect(tries.map(({ status }) => status).sort()).toEqual([201, 400]);
  expect((await create(first, 'otra')).body.code).toBe('invalid_token');
  const own = await call(first, 'GET', '/api/auth/user/', {
    token: tries.find(({ status }) => status === 201)?.body.token,
  });
  expect(own.body.role).toBe('admin');

  await first.restart();
  expect(first.output().match(/primer administrador/g)).toHaveLength(1);
  // No line but this one and the last of the box contains the token.
  const printed = first
    .output()
    .split('\n')
    .filter((line) => line.includes(String(token)));
  expect(printed.map((line) => line.split(' ')[0])).toEqual(['Crea', 'Abre']);
});

// Tests that do not use the database run with one engine only.
test.runIf(engine === 'sqlite')(
  'a server that other machines can reach refuses to start as a demo, and prints what to type instead (D140)',
  async () => {
    const database = await engineEnv(engine);
    for (const env of [
      { HOST: '0.0.0.0' },
      { PUBLIC_URL: 'https://licencias.example.com' },
      { TRUST_PROXY: '1' },
    ]) {
      const refusal = await refusalOf({ ...database, ...env, DEMO: undefined });
      expect(refusal).toContain('escribe NODE_ENV=production para usarlo con tus datos, o DEMO=1');
      expect(refusal).not.toContain('    at ');
    }
    expect(await refusalOf({ ...database, NODE_ENV: 'prod', DEMO: undefined })).toContain('NODE_ENV');
  },
);

test.runIf(engine === 'sqlite')(
  'a server with open registration logs at its start what a stranger may then do',
  { tags: [NIGHT] },
  async () => {
    const words = 'cualquiera que llegue a este servidor puede crear una cuenta';
    const production = { NODE_ENV: 'production', DEMO: undefined };
    const open = await startForTest({ ...(await engineEnv(engine)), ...production, ALLOW_REGISTRATION: '1' });
    expect(open.output()).toContain(words);
    const closed = await startForTest({ ...(await engineEnv(engine)), ...production });
    expect(closed.output()).not.toContain(words);
  },
);

test('files that the server writes are readable by its owner only, whatever the umask is', {
  tags: [POSTGRES_AT_NIGHT],
}, async () => {
  // An empty folder, so that the server itself creates the database.
  const server = await startForTest({ ...(await engineEnv(engine)), DATA_DIR: emptyFolder() });
  const { token } = await signIn(server);
  await call(server, 'POST', '/licenses/api/mail-templates/license_issued/test/', { token, body: {} });
  // A mail has a temporary name until it is whole.
  const mails = () => readdirSync(server.mailDir).filter((name) => name.endsWith('.eml'));
  await expect.poll(mails).toHaveLength(1);
  const modes = (readdirSync(server.dataDir, { recursive: true }) as string[]).map((name) => [
    name,
    statSync(join(server.dataDir, name)).mode & 0o077,
  ]);
  expect(modes.filter(([, others]) => others !== 0)).toEqual([]);
});

test('on SIGTERM with 50 connections the server reports not ready, finishes running requests and exits with 0 (promises)', {
  tags: [POSTGRES_AT_NIGHT],
}, async () => {
  // Long enough for an answer among those of fifty callers, also while other tests run.
  const server = await startForTest({ ...(await engineEnv(engine)), DRAIN_SECONDS: '6' });
  const { token } = await signIn(server);
  const agent = connections(50);
  onTestFinished(() => agent.destroy());

  const acknowledged: number[] = [];
  const failures: string[] = [];
  let stopping = false;
  let closed = 0;
  const caller = async () => {
    while (!stopping) {
      // As browsers and load balancers do, this agent does not reuse a connection that the server wants to close.
      const answer = await call(server, 'POST', '/licenses/api/clients/', {
        token,
        agent,
        body: newClient(),
      });
      if (answer.status === 201) acknowledged.push(answer.body.id);
      else failures.push(`${answer.status} ${answer.text}`);
      if (answer.headers.connection === 'close') closed += 1;
    }
  };
  const callers = Array.from({ length: 50 }, () =>
    caller().catch((error: Error) => void failures.push(error.message)),
  );
  await expect.poll(() => acknowledged.length).toBeGreaterThan(50);
  const ended = server.stop();
  const readiness = () => call(server, 'GET', '/api/health/ready/');
  await expect.poll(readiness).toMatchObject({ status: 503, body: { status: 'draining' } });
  expect((await call(server, 'GET', '/api/health/')).status).toBe(200);
  stopping = true;
  await Promise.all(callers);

  expect(await ended).toBe(0);
  expect(failures).toEqual([]);
  expect(closed).toBeGreaterThan(0);
  await expect(call(server, 'GET', '/api/health/')).rejects.toThrow('ECONNREFUSED');
});

test.runIf(engine === 'sqlite')(
  'an unfinished request does not prevent the server from stopping',
  { tags: [NIGHT] },
  async () => {
    const server = await startForTest({});
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(
      'POST /api/auth/login/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n',
    );
    await setTimeout(100);
    const started = performance.now();
    expect(await server.stop()).toBe(0);
    expect(performance.now() - started).toBeLessThan(12_000);
  },
);

test.runIf(engine === 'sqlite')(
  'a body over 100 kB gets 413 and headers over 16 kB get 431, with the standard error body (promises)',
  async () => {
    const server = await startForTest(await engineEnv(engine));
    const body = await call(server, 'POST', '/api/auth/login/', {
      body: { username: 'admin', password: 'x'.repeat(100 * 1024) },
    });
    expect([body.status, body.body]).toEqual([
      413,
      { success: false, code: 'too_large', message: expect.any(String) },
    ]);
    const headers = await call(server, 'GET', '/api/health/', {
      headers: { 'x-largo': 'x'.repeat(16 * 1024) },
    });
    expect([headers.status, headers.body]).toEqual([
      431,
      { success: false, code: 'headers_too_large', message: expect.any(String) },
    ]);
    expect((await call(server, 'GET', '/api/health/')).status).toBe(200);
  },
);
