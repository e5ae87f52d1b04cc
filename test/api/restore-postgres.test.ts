import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { withClient } from '../../ops/with-client.ts';
import { migrate, openDatabase } from '../../server/db/open.ts';
import { createTestApp } from '../app.ts';
import { NIGHT } from '../at-night.ts';
import { contentOf, runCopy as run } from '../copy-commands.ts';
import { emptyFolder } from '../empty-folder.ts';
import { createLicense } from '../factories.ts';
import { engineEnv } from '../faults/engines.ts';
import { startCluster } from '../postgres/cluster.ts';
import type { ServerEnv } from '../start-server.ts';

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
  { tags: [NIGHT] },
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

onPostgres('a restore is refused while another role is connected', { tags: [NIGHT] }, async () => {
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
  return { addressWith, trusted };
}

onPostgres(
  'every address with which the server works is good for a backup and a restore',
  { tags: [NIGHT] },
  async () => {
    const { addressWith, trusted } = await secured();
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
    // What others see of a running program has no part of the address.
    expect(readFileSync(said, 'utf8')).not.toMatch(/off|@/);

    const distrusted = { ...env, DATABASE_URL: addressWith('sslmode=verify-full') };
    expect(await run('backup', distrusted, join(folder, 'nada'))).toEqual({
      code: 1,
      output: expect.stringMatching(/certificate/),
    });
  },
);

/** The address with another search_path. */
function workingIn(url: string, path: string): string {
  const address = new URL(url);
  address.searchParams.set('options', `-c search_path=${path}`);
  return address.toString();
}

/** Runs statements as the administrator of the cluster. */
const asAdministrator = (url: string, ...statements: string[]) =>
  withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

/**
 * An installation of an ordinary role, which owns its database. Another program has a schema there that the role may
 * not read, and a publication.
 */
async function besideAnother() {
  const { file } = await dumped();
  const admin = await emptyPlace();
  const role = `lm_beside_${randomBytes(4).toString('hex')}`;
  const name = new URL(admin.DATABASE_URL).pathname.slice(1);
  await asAdministrator(
    admin.DATABASE_URL,
    `create role ${role} login`,
    `alter database ${name} owner to ${role}`,
    'create schema ventas',
    'create table ventas.pedidos (id int primary key)',
    'insert into ventas.pedidos values (7)',
    'create publication cambios for all tables',
  );
  onTestFinished(() =>
    asAdministrator(admin.DATABASE_URL, `reassign owned by ${role} to current_user`, `drop role ${role}`),
  );
  const url = new URL(admin.DATABASE_URL);
  url.username = role;
  const place = { ...admin, DATABASE_URL: url.toString() };
  // Beside the other program the place is empty.
  expect(await run('restore', place, file)).toEqual({ code: 0, output: 'Copia restaurada en PostgreSQL.\n' });
  const orders = () =>
    withClient(
      admin.DATABASE_URL,
      async (client) => (await client.query('select id from ventas.pedidos')).rows,
    );
  return { admin, place, orders };
}

onPostgres(
  'a copy has the schema of the program, and leaves what others have beside it',
  { tags: [NIGHT] },
  async () => {
    const { place, orders } = await besideAnother();
    const content = await contentOf(place);
    const file = join(emptyFolder(), 'copia');
    expect((await run('backup', place, file)).code).toBe(0);
    expect(execFileSync('pg_restore', ['--list', file], { encoding: 'utf8' })).not.toMatch(/ventas|cambios/);
    expect(await run('restore', place, file, '--replace')).toEqual({
      code: 0,
      output: 'Copia restaurada en PostgreSQL.\n',
    });
    expect(await contentOf(place)).toEqual(content);
    expect(await orders()).toEqual([{ id: 7 }]);

    // By hand, as docs/operating.md says.
    const byHand = await emptyPlace();
    await asAdministrator(byHand.DATABASE_URL, 'create extension pg_trgm');
    const options = ['--exit-on-error', '--no-owner', '--schema=public', `--dbname=${byHand.DATABASE_URL}`];
    execFileSync('pg_restore', [...options, file]);
    expect(await contentOf(byHand)).toEqual(content);
  },
);

onPostgres(
  'of a dump of the whole database the schema of the program is restored, and it is said',
  { tags: [NIGHT] },
  async () => {
    const { admin, place, orders } = await besideAnother();
    const content = await contentOf(place);
    const file = join(emptyFolder(), 'todo');
    execFileSync('pg_dump', ['--format=custom', `--file=${file}`, `--dbname=${admin.DATABASE_URL}`]);
    expect(await run('restore', place, file, '--replace')).toEqual({
      code: 0,
      output: expect.stringContaining('no se restauraron: ventas.'),
    });
    expect(await contentOf(place)).toEqual(content);
    expect(await orders()).toEqual([{ id: 7 }]);
  },
);

onPostgres('a dump of another schema is refused before anything is touched', async () => {
  const { file } = await dumped();
  const { DATABASE_URL, ...rest } = await emptyPlace();
  await asAdministrator(DATABASE_URL, 'create schema lm');
  const place = { ...rest, DATABASE_URL: workingIn(DATABASE_URL, 'lm,public') };
  const refused = {
    code: 1,
    output: expect.stringContaining(
      'La copia tiene sus tablas en el esquema «public», y DATABASE_URL trabaja en «lm».',
    ),
  };
  // The server would not find the tables, and begin with an empty database.
  expect(await run('restore', place, file)).toEqual(refused);
  const db = openDatabase({ kind: 'postgres', url: place.DATABASE_URL, pool: 2 }, () => {});
  await migrate(db).finally(() => db.destroy());
  expect(await run('restore', place, file, '--replace')).toEqual(refused);
  await contentOf(place);
});

onPostgres(
  'an installation in a schema of its own is restored there, also where it does not exist yet',
  { tags: [NIGHT] },
  async () => {
    const original = await dumped();
    const { DATABASE_URL, ...rest } = await emptyPlace();
    expect((await run('restore', { ...rest, DATABASE_URL }, original.file)).code).toBe(0);
    await asAdministrator(DATABASE_URL, 'alter schema public rename to "Mi esquema"', 'create schema public');
    const place = { ...rest, DATABASE_URL: workingIn(DATABASE_URL, '"Mi\\ esquema",public') };
    const file = join(emptyFolder(), 'copia');
    expect((await run('backup', place, file)).code).toBe(0);
    expect((await run('restore', place, file, '--replace')).output).toContain('Copia restaurada');
    expect(await contentOf(place)).toEqual(original.content);

    const empty = await emptyPlace();
    // Without the schema its search_path leads to the tables of another program.
    await asAdministrator(empty.DATABASE_URL, 'create table public.pedidos (id int)');
    const fresh = { ...empty, DATABASE_URL: workingIn(empty.DATABASE_URL, '"Mi\\ esquema",public') };
    expect((await run('restore', fresh, file, '--replace')).output).toContain('Copia restaurada');
    await asAdministrator(empty.DATABASE_URL, 'select id from public.pedidos');
    expect(await contentOf(fresh)).toEqual(original.content);
  },
);

onPostgres(
  'a pg_trgm in another schema than that of the copy is named before anything is touched',
  { tags: [NIGHT] },
  async () => {
    const { file, content } = await dumped();
    const { DATABASE_URL, ...rest } = await emptyPlace();
    await asAdministrator(DATABASE_URL, 'create schema ext', 'create extension pg_trgm schema ext');
    const place = { ...rest, DATABASE_URL: workingIn(DATABASE_URL, 'public,ext') };
    expect(await run('restore', place, file)).toEqual({
      code: 1,
      output: expect.stringContaining('alter extension pg_trgm set schema "public";'),
    });
    await asAdministrator(DATABASE_URL, 'alter extension pg_trgm set schema "public"');
    expect((await run('restore', place, file)).code).toBe(0);
    expect(await contentOf(place)).toEqual(content);
  },
);

onPostgres(
  'a database without tables of the program is not copied, and a foreign dump is refused',
  async () => {
    const { DATABASE_URL, ...rest } = await emptyPlace();
    const place = { ...rest, DATABASE_URL };
    const file = join(emptyFolder(), 'copia');
    expect(await run('backup', place, file)).toEqual({
      code: 1,
      output: expect.stringContaining(
        'No hay tablas de License Manager donde trabaja DATABASE_URL, que es el esquema «public».',
      ),
    });
    await asAdministrator(DATABASE_URL, 'create table pedidos (id int)');
    execFileSync('pg_dump', ['--format=custom', `--file=${file}`, `--dbname=${DATABASE_URL}`]);
    expect(await run('restore', place, file, '--replace')).toEqual({
      code: 1,
      output: expect.stringContaining('no es una copia de License Manager'),
    });
  },
);
