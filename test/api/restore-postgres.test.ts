import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ServerEnv } from '../../e2e/support/server.ts';
import { withClient } from '../../ops/with-client.ts';
import { migrate, openDatabase } from '../../server/db/open.ts';
import { createTestApp } from '../app.ts';
import { contentOf, runCopy as run } from '../copy-commands.ts';
import { emptyFolder } from '../empty-folder.ts';
import { createLicense } from '../factories.ts';
import { engineEnv } from '../faults/engines.ts';
import { startCluster } from '../postgres/cluster.ts';

/** Copies of a PostgreSQL database: what pg_dump, pg_restore and psql do with them. */

// Long, because each test starts commands one after the other.
vi.setConfig({ testTimeout: 240_000 });

const onPostgres = test.runIf(process.env.TEST_ENGINE === 'postgres');

/** The PATH with a pg_restore that runs a shell command, in which `pg_restore` is the real one. */
function withPgRestore(command: string): string {
  const real = execFileSync('sh', ['-c', 'command -v pg_restore'], { encoding: 'utf8' }).trim();
  const folder = emptyFolder();
  const script = `#!/bin/sh\npg_restore() { ${real} "$@"; }\n${command}\n`;
  writeFileSync(join(folder, 'pg_restore'), script, { mode: 0o755 });
  return `${folder}:${process.env.PATH}`;
}

/** A dump of pg_dump, and what it contains. */
async function dumped() {
  const t = await createTestApp();
  await createLicense(t);
  const env: ServerEnv = {
    DATABASE_URL: t.context.config.databaseUrl ?? '',
    DATA_DIR: t.context.config.dataDir,
  };
  const file = join(emptyFolder(), 'copia');
  expect((await run('backup', env, file)).code).toBe(0);
  return { file, content: await contentOf(env) };
}

const emptyPlace = async (): Promise<ServerEnv & { DATABASE_URL: string }> => {
  const { DATABASE_URL = '' } = await engineEnv('postgres');
  return { DATABASE_URL, DATA_DIR: emptyFolder() };
};

onPostgres('a dump that cannot be restored leaves the data that it was to replace (promises)', async () => {
  const { file, content } = await dumped();
  const place = await emptyPlace();
  expect((await run('restore', place, file)).code).toBe(0);
  await withClient(place.DATABASE_URL, (client) => client.query("update clients set name = 'Otra'"));
  const now = await contentOf(place);
  expect(now).not.toEqual(content);

  const half = join(emptyFolder(), 'mitad');
  writeFileSync(half, readFileSync(file).subarray(0, statSync(file).size / 2));
  expect(await run('restore', place, half, '--replace')).toEqual({
    code: 1,
    output: expect.stringContaining('pg_restore falló:'),
  });
  expect(await contentOf(place)).toEqual(now);

  // A statement that fails, before more than a pipe holds.
  const refused = {
    ...place,
    PATH: withPgRestore('echo "select no_such_column;"; pg_restore "$@"; yes "--" | head -c 1000000'),
  };
  expect(await run('restore', refused, file, '--replace')).toEqual({
    code: 1,
    output: expect.stringContaining('psql falló:'),
  });
  expect(await contentOf(place)).toEqual(now);

  expect(await run('restore', place, file, '--replace')).toEqual({
    code: 0,
    output: expect.stringContaining('Copia restaurada en PostgreSQL'),
  });
  expect(await contentOf(place)).toEqual(content);
});

onPostgres(
  'pg_restore 17 restores a dump into an older server, also where a failed restore left a collation (promises)',
  async () => {
    const { file, content } = await dumped();
    const place = await emptyPlace();
    await withClient(place.DATABASE_URL, (client) => client.query('create collation "binary" from "C"'));
    // Version 17 sets what only servers from 17 on know.
    const setting = "sed 's/^SET lock_timeout = 0;$/&\\nSET transaction_timeout = 0;/'";
    const later = { ...place, PATH: withPgRestore(`pg_restore "$@" | ${setting}`) };
    expect((await run('restore', later, file)).code).toBe(0);
    expect(await contentOf(place)).toEqual(content);
  },
);

onPostgres('a restore is refused while another role is connected', async () => {
  const { file } = await dumped();
  const place = await emptyPlace();
  expect((await run('restore', place, file)).code).toBe(0);
  const role = `lm_restore_${process.pid}`;
  await withClient(place.DATABASE_URL, (client) => client.query(`create role ${role} login`));
  onTestFinished(() =>
    withClient(place.DATABASE_URL, async (client) => {
      await client.query(`drop role ${role}`);
    }),
  );
  const url = new URL(place.DATABASE_URL);
  url.username = role;
  const refused = await withClient(url.toString(), () => run('restore', place, file, '--replace'));
  expect(refused).toEqual({
    code: 1,
    output: expect.stringContaining(`está en uso (1 conexión de ${role}).`),
  });
  expect((await run('restore', place, file, '--replace')).code).toBe(0);
});

/** A PostgreSQL server with TLS and passwords, and an installation of a role whose password has a bare %. */
async function secured() {
  const cluster = await startCluster({ fsync: false });
  onTestFinished(cluster.stop);
  const [key, certificate] = [join(cluster.directory, 'tls.key'), join(cluster.directory, 'tls.crt')];
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '3'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', ...ec, ...names, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
  const { uid, gid } = statSync(cluster.directory);
  chownSync(key, uid, gid);
  chmodSync(certificate, 0o644);
  const password = '50%off+x';
  await withClient(cluster.url, async (client) => {
    await client.query(`create role lm login password '${password}'`);
    await client.query('create database lm owner lm');
    await client.query('alter system set ssl = on');
    await client.query(`alter system set ssl_cert_file = '${certificate}'`);
    await client.query(`alter system set ssl_key_file = '${key}'`);
    writeFileSync(
      join(cluster.directory, 'data', 'pg_hba.conf'),
      'hostssl all lm 127.0.0.1/32 scram-sha-256\n',
    );
    await client.query('select pg_reload_conf()');
  });
  // A folder that all may enter, for a program of another account.
  const trusted = join(emptyFolder(), 'ca.crt');
  copyFileSync(certificate, trusted);
  const addressWith = (query: string) => `postgres://lm:${password}@localhost:${cluster.port}/lm?${query}`;
  await vi.waitFor(() => withClient(addressWith('sslmode=no-verify'), (client) => client.query('select 1')));
  return { addressWith, trusted, password };
}

onPostgres('every address with which the server works is good for a backup and a restore', async () => {
  const { addressWith, trusted, password } = await secured();
  const url = addressWith('sslmode=no-verify');
  const db = openDatabase({ kind: 'postgres', url, pool: 2 }, () => {});
  await migrate(db).finally(() => db.destroy());

  const folder = emptyFolder();
  const said = join(folder, 'said');
  const real = execFileSync('sh', ['-c', 'command -v pg_dump'], { encoding: 'utf8' }).trim();
  writeFileSync(join(folder, 'pg_dump'), `#!/bin/sh\necho "$@" >> ${said}\nexec ${real} "$@"\n`, {
    mode: 0o755,
  });
  const env = { DATA_DIR: emptyFolder(), PATH: `${folder}:${process.env.PATH}`, PGSERVICE: 'otra' };
  const addresses: [string, ServerEnv][] = [
    ['sslmode=no-verify', {}],
    ['uselibpqcompat=true&sslmode=require', {}],
    ['sslmode=no-verify&keepAlive=true&query_timeout=60000&max=4', {}],
    [`sslmode=verify-full&sslrootcert=${trusted}`, {}],
    [`uselibpqcompat=true&sslmode=verify-ca&sslrootcert=${trusted}`, {}],
    // The authorities of Node itself, as the driver trusts them.
    ['ssl=true', { NODE_EXTRA_CA_CERTS: trusted }],
    ['sslmode=require', { NODE_EXTRA_CA_CERTS: trusted }],
    ['', { PGSSLMODE: 'no-verify' }],
  ];
  for (const [index, [query, more]] of addresses.entries()) {
    const DATABASE_URL = addressWith(query);
    const file = join(folder, `copia-${index}`);
    expect([query, await run('backup', { ...env, ...more, DATABASE_URL }, file)]).toEqual([
      query,
      { code: 0, output: expect.stringContaining('Copia terminada') },
    ]);
  }
  const place = { ...env, DATABASE_URL: addressWith('uselibpqcompat=true&sslmode=require') };
  expect((await run('restore', place, join(folder, 'copia-0'), '--replace')).code).toBe(0);
  // What others see of a running program.
  expect(readFileSync(said, 'utf8')).not.toContain(password.slice(0, 2));

  const distrusted = { ...env, DATABASE_URL: addressWith('sslmode=verify-full') };
  expect(await run('backup', distrusted, join(folder, 'nada'))).toEqual({
    code: 1,
    output: expect.stringMatching(/certificate/),
  });
});
