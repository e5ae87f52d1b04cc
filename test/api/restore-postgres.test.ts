import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { withClient } from '../../ops/with-client.ts';
import { migrationFiles } from '../../server/db/migrations/index.ts';
import { DATABASE_FILE, migrate, migrateIn, migrationState, openDatabase } from '../../server/db/open.ts';
import { createTestApp } from '../app.ts';
import { NIGHT } from '../at-night.ts';
import { contentOf, runCopy as run } from '../copy-commands.ts';
import { openForTest } from '../empty-database.ts';
import { emptyFolder } from '../empty-folder.ts';
import { createLicense } from '../factories.ts';
import { engineEnv, startForTest } from '../faults/engines.ts';
import { newLicense, signIn } from '../faults/http.ts';
import { startCluster } from '../postgres/cluster.ts';
import { insertFirstRows } from '../released.ts';
import type { ServerEnv } from '../start-server.ts';

/** Copies of a PostgreSQL database, and the lines of PostgreSQL's own programs that the commands print (decision 172). */

// Long, because each test starts commands one after the other.
vi.setConfig({ testTimeout: 240_000 });

const onPostgres = test.runIf(process.env.TEST_ENGINE === 'postgres');

/** An installation on PostgreSQL. */
async function installed(): Promise<ServerEnv & { DATABASE_URL: string; DATA_DIR: string }> {
  const t = await createTestApp();
  await createLicense(t);
  return { DATABASE_URL: t.context.config.databaseUrl ?? '', DATA_DIR: t.context.config.dataDir };
}

/** A copy of an installation, and what it contains. */
async function copied() {
  const env = await installed();
  const file = join(emptyFolder(), 'copia');
  expect((await run('backup', env, file)).code).toBe(0);
  return { file, content: await contentOf(env) };
}

/** A copy with its key as `npm run backup` made it of PostgreSQL up to 0.3.0. */
function dumped(env: { DATABASE_URL: string; DATA_DIR: string }, schema = 'public'): string {
  const file = join(emptyFolder(), 'volcado');
  const options = ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`];
  const one = [`--schema="${schema}"`, '--no-publications', '--no-subscriptions'];
  execFileSync('pg_dump', [...options, ...one, `--dbname=${env.DATABASE_URL}`]);
  copyFileSync(join(env.DATA_DIR, 'secret.key'), `${file}.key`);
  return file;
}

const emptyPlace = async (): Promise<ServerEnv & { DATABASE_URL: string; DATA_DIR: string }> => {
  const { DATABASE_URL = '' } = await engineEnv('postgres');
  return { DATABASE_URL, DATA_DIR: emptyFolder() };
};

/** The lines that a command printed for a shell, in their order. */
const linesIn = (output: string): string[] =>
  output
    .split('\n')
    .flatMap((line) => /^ {2}((?:createdb|psql|pg_dump|pg_restore) .*)$/.exec(line)?.[1] ?? []);

const inShell = (lines: readonly string[], env: ServerEnv = {}) =>
  execFileSync('sh', ['-ec', lines.join('\n')], { env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' });

/** The database that printed lines make beside another one; it is dropped when the test ends. */
function besideOf(url: string): string {
  const address = new URL(url);
  address.pathname += '_restaurada';
  onTestFinished(() =>
    withClient(url, async (client) => {
      await client.query(`drop database if exists ${address.pathname.slice(1)} with (force)`);
    }),
  );
  return address.toString();
}

/** Starts the program on a restored installation. */
async function worksOn(env: ServerEnv) {
  const server = await startForTest(env);
  await newLicense(server, (await signIn(server)).token);
  await server.stop();
}

onPostgres('a copy that cannot be restored leaves the data that it was to replace (promises)', async () => {
  const { file, content } = await copied();
  const place = await emptyPlace();
  expect((await run('restore', place, file)).code).toBe(0);
  await withClient(place.DATABASE_URL, (client) => client.query("update clients set name = 'Otra'"));
  const now = await contentOf(place);
  expect(now).not.toEqual(content);

  const half = join(emptyFolder(), 'mitad');
  writeFileSync(half, readFileSync(file).subarray(0, statSync(file).size / 2));
  expect(await run('restore', place, half, '--replace')).toEqual({
    code: 1,
    output: expect.stringContaining('La copia está dañada'),
  });
  expect(await contentOf(place)).toEqual(now);

  // A row that PostgreSQL refuses, after others were written.
  const refused = join(emptyFolder(), 'rechazada');
  copyFileSync(file, refused);
  change(refused, 'update licenses set client_id = 999999');
  expect(await run('restore', place, refused, '--replace')).toEqual({
    code: 1,
    output: expect.stringContaining('foreign key'),
  });
  expect(await contentOf(place)).toEqual(now);

  expect(await run('restore', place, file, '--replace')).toEqual({
    code: 0,
    output: expect.stringContaining('Copia restaurada en PostgreSQL'),
  });
  expect(await contentOf(place)).toEqual(content);
});

/** Changes a copy without the checks of its schema. */
function change(file: string, statement: string): void {
  const copy = new Database(file);
  copy.pragma('foreign_keys = off');
  copy.exec(statement);
  copy.close();
}

onPostgres('a copy of a newer program is refused before anything is changed', async () => {
  const { file, content } = await copied();
  const place = await emptyPlace();
  expect((await run('restore', place, file)).code).toBe(0);
  const newer = join(emptyFolder(), 'nueva');
  copyFileSync(file, newer);
  change(newer, "insert into kysely_migration values ('999-later', '2027-01-01')");
  const refused = { code: 1, output: expect.stringContaining('versión más nueva del programa (999-later)') };
  expect(await run('restore', place, newer, '--replace')).toEqual(refused);
  expect(await contentOf(place)).toEqual(content);

  // Nor is a newer database copied.
  await withClient(place.DATABASE_URL, (client) =>
    client.query("insert into kysely_migration values ('999-later', '2027-01-01')"),
  );
  const copy = join(emptyFolder(), 'copia');
  expect(await run('backup', place, copy)).toEqual(refused);
  expect(existsSync(copy)).toBe(false);
});

const [before] = [...migrationFiles().keys()].slice(-2, -1);

test.runIf(process.env.TEST_ENGINE === 'postgres' && before !== undefined)(
  'a copy that is made just before an upgrade has the schema of the database, and restores',
  async () => {
    const older = await emptyPlace();
    const db = openForTest({ kind: 'postgres', url: older.DATABASE_URL, pool: 2 });
    await db.transaction().execute((tx) => migrateIn(tx, { last: before }));
    await insertFirstRows(db);
    const file = join(emptyFolder(), 'copia');
    expect((await run('backup', older, file)).code).toBe(0);
    const copy = new Database(file, { readonly: true });
    onTestFinished(() => void copy.close());
    expect(copy.prepare('select max(name) from kysely_migration').pluck().get()).toBe(before);

    const place = await emptyPlace();
    expect((await run('restore', place, file)).code).toBe(0);
    const restored = openForTest({ kind: 'postgres', url: place.DATABASE_URL, pool: 2 });
    expect(await restored.selectFrom('licenses').select('license_key').execute()).toEqual([
      { license_key: 'AAAAA-BBBBB-CCCCC-DDDDD-EEEEE' },
    ]);
    expect((await migrationState(restored)).missing).toEqual([]);
  },
);

onPostgres(
  'above BACKUP_ROWS_MAX no copy is made, and the printed lines copy and restore the database without its password',
  async () => {
    const env = await installed();
    const url = new URL(env.DATABASE_URL);
    url.password = 'secreta%25';
    const file = join(emptyFolder(), "copia d'ayer");
    const { code, output } = await run(
      'backup',
      { ...env, DATABASE_URL: url.toString(), BACKUP_ROWS_MAX: '3' },
      file,
    );
    expect(code).toBe(1);
    expect(output).toMatch(/^La base de datos tiene \d+ filas, más que BACKUP_ROWS_MAX \(3\)/);
    expect(output).toContain(`Guarda también ${join(env.DATA_DIR, 'secret.key')}`);
    expect(output).toContain('PGPASSWORD');
    expect(output).not.toContain('secreta');
    expect(readdirSync(join(file, '..'))).toEqual([]);

    const beside = { DATABASE_URL: besideOf(env.DATABASE_URL), DATA_DIR: env.DATA_DIR };
    const lines = linesIn(output);
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['pg_dump', 'createdb', 'psql', 'pg_restore']);
    inShell(lines);
    expect(await contentOf(beside)).toEqual(await contentOf(env));
    await worksOn(beside);

    const own = { ...env, SECRET_KEY: 'q0Vf7yXn2LsT9cWmB4hKdR1uJ6gZpE3a', BACKUP_ROWS_MAX: '3' };
    expect((await run('backup', own, `${file}-2`)).output).toContain('Guarda también SECRET_KEY');
  },
);

/** The shell lines of docs/operating.md that begin with a command. */
function documented(command: string): string {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'operating.md'), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  return blocks.find((block) => block.split('\n').some((line) => line.startsWith(command))) ?? '';
}

onPostgres(
  'a dump of an earlier version restores by the lines of the documentation and by the printed ones, and the program starts on it',
  async () => {
    const env = await installed();
    const dump = dumped(env);
    const content = await contentOf(env);

    const byHand = await emptyPlace();
    const lines = documented('pg_restore');
    expect(lines).toContain('secret.key');
    inShell([lines], { DATABASE: byHand.DATABASE_URL, DUMP: dump, DATA_DIR: byHand.DATA_DIR });
    expect(await contentOf(byHand)).toEqual(content);
    await worksOn(byHand);

    const place = await emptyPlace();
    const printed = await run('restore', place, dump);
    expect(printed.code).toBe(1);
    expect(printed.output).toMatch(/es una copia de pg_dump.*No se cambió nada/);
    expect(printed.output).toContain(`copia ${dump}.key a ${join(place.DATA_DIR, 'secret.key')}`);
    expect(readdirSync(place.DATA_DIR)).toEqual([]);
    inShell(linesIn(printed.output));
    copyFileSync(`${dump}.key`, join(place.DATA_DIR, 'secret.key'));
    expect(await contentOf(place)).toEqual(content);
    await worksOn(place);

    // What is there stays: the lines make another database.
    const now = await contentOf(place);
    const again = await run('restore', place, dump, '--replace');
    expect(again.code).toBe(1);
    const beside = besideOf(place.DATABASE_URL);
    inShell(linesIn(again.output));
    expect(await contentOf({ DATABASE_URL: beside })).toEqual(content);
    expect(await contentOf(place)).toEqual(now);

    // Without DATABASE_URL there is no place for it.
    expect(await run('restore', { DATA_DIR: emptyFolder() }, dump)).toEqual({
      code: 1,
      output: expect.stringContaining('indica DATABASE_URL'),
    });
  },
);

test.runIf(process.env.TEST_ENGINE !== 'postgres')(
  'an old copy of SQLite restores by the command and by the lines of the documentation, and the program starts on it',
  async () => {
    const env = { DATA_DIR: emptyFolder() };
    const server = await startForTest(env);
    await newLicense(server, (await signIn(server)).token);
    // As earlier versions made it.
    const file = join(emptyFolder(), 'copia');
    const database = new Database(join(env.DATA_DIR, DATABASE_FILE), { readonly: true });
    database.prepare('vacuum into ?').run(file);
    database.close();
    copyFileSync(join(env.DATA_DIR, 'secret.key'), `${file}.key`);
    await server.stop();
    const content = await contentOf(env);

    const restored = { DATA_DIR: emptyFolder() };
    expect((await run('restore', restored, file)).code).toBe(0);
    const byHand = { DATA_DIR: emptyFolder() };
    inShell([documented('cp "$COPY"')], { COPY: file, DATA_DIR: byHand.DATA_DIR });
    for (const place of [restored, byHand]) {
      expect(await contentOf(place)).toEqual(content);
      await worksOn(place);
    }
    // SQLite has no limit of rows.
    const copy = join(emptyFolder(), 'copia');
    expect((await run('backup', { ...env, BACKUP_ROWS_MAX: '1' }, copy)).code).toBe(0);
  },
);

onPostgres('a restore is refused while another role is connected', { tags: [NIGHT] }, async () => {
  const { file } = await copied();
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

const PASSWORD = '50%off+x';

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
  await withClient(cluster.url, async (client) => {
    await client.query(`create role lm login password '${PASSWORD}'`);
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
  const addressWith = (query: string) => `postgres://lm:${PASSWORD}@localhost:${cluster.port}/lm?${query}`;
  // The server reads its settings a moment later.
  const address = addressWith('sslmode=no-verify');
  await expect.poll(() => withClient(address, (client) => client.query('select 1'))).toBeDefined();
  return { addressWith, trusted };
}

onPostgres(
  'every address with which the server works is good for a backup, a restore and the printed lines',
  { tags: [NIGHT] },
  async () => {
    const { addressWith, trusted } = await secured();
    const url = addressWith('sslmode=no-verify');
    const db = openDatabase({ kind: 'postgres', url, pool: 2 }, () => {});
    await migrate(db).finally(() => db.destroy());

    const folder = emptyFolder();
    const env = { DATA_DIR: emptyFolder(), PGSERVICE: 'otra' };
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
      const dump = join(folder, `volcado-${index}`);
      const limit = { ...env, ...more, DATABASE_URL, BACKUP_ROWS_MAX: '1' };
      const { output } = await run('backup', limit, dump);
      expect(output).not.toContain('off');
      inShell(linesIn(output).slice(0, 1), { PGPASSWORD: PASSWORD });
      expect([query, statSync(dump).size > 0]).toEqual([query, true]);
    }
    const place = { ...env, DATABASE_URL: addressWith('uselibpqcompat=true&sslmode=require') };
    expect((await run('restore', place, join(folder, 'copia-0'), '--replace')).code).toBe(0);

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
  const { file } = await copied();
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
  'a copy has the tables of the program, and leaves what others have beside it',
  { tags: [NIGHT] },
  async () => {
    const { admin, place, orders } = await besideAnother();
    const content = await contentOf(place);
    const file = join(emptyFolder(), 'copia');
    expect((await run('backup', place, file)).output).not.toContain('otros programas');
    expect(await run('restore', place, file, '--replace')).toEqual({
      code: 0,
      output: 'Copia restaurada en PostgreSQL.\n',
    });
    expect(await contentOf(place)).toEqual(content);
    expect(await orders()).toEqual([{ id: 7 }]);

    await asAdministrator(admin.DATABASE_URL, 'create table public.pedidos (id int)');
    expect((await run('backup', place, `${file}-2`)).output).toContain(
      'No se copiaron las tablas de otros programas: pedidos.',
    );
  },
);

onPostgres(
  'of a dump of the whole database the printed lines restore the schema of the program',
  { tags: [NIGHT] },
  async () => {
    const { admin, place } = await besideAnother();
    const content = await contentOf(place);
    const file = join(emptyFolder(), 'todo');
    execFileSync('pg_dump', ['--format=custom', `--file=${file}`, `--dbname=${admin.DATABASE_URL}`]);
    const empty = await emptyPlace();
    inShell(linesIn((await run('restore', empty, file)).output));
    expect(await contentOf(empty)).toEqual(content);
    const { rows } = await withClient(empty.DATABASE_URL, (client) =>
      client.query(
        "select to_regclass('ventas.pedidos') as orders, (select count(*) from pg_publication) as n",
      ),
    );
    expect(rows).toEqual([{ orders: null, n: '0' }]);
  },
);

onPostgres(
  'an installation in a schema of its own is restored there, also where it does not exist yet',
  { tags: [NIGHT] },
  async () => {
    const original = await copied();
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
    expect((await run('restore', fresh, file)).output).toContain('Copia restaurada');
    await asAdministrator(empty.DATABASE_URL, 'select id from public.pedidos');
    expect(await contentOf(fresh)).toEqual(original.content);

    // The printed lines name it too.
    const { output } = await run('backup', { ...place, BACKUP_ROWS_MAX: '1' }, `${file}-2`);
    const beside = besideOf(place.DATABASE_URL);
    inShell(linesIn(output));
    expect(await contentOf({ DATABASE_URL: beside })).toEqual(original.content);
  },
);

onPostgres('the lines for a dump of another schema say where its tables are found', async () => {
  const dump = dumped(await installed());
  const { DATABASE_URL, ...rest } = await emptyPlace();
  await asAdministrator(DATABASE_URL, 'create schema lm');
  const place = { ...rest, DATABASE_URL: workingIn(DATABASE_URL, 'lm,public') };
  const { output } = await run('restore', place, dump);
  expect(output).toContain('Las tablas quedan en el esquema «public», y DATABASE_URL trabaja en «lm»');
  inShell(linesIn(output));
  await contentOf({ ...rest, DATABASE_URL });
});

onPostgres('a copy is restored where pg_trgm is in another schema', { tags: [NIGHT] }, async () => {
  const { file, content } = await copied();
  const { DATABASE_URL, ...rest } = await emptyPlace();
  await asAdministrator(DATABASE_URL, 'create schema ext', 'create extension pg_trgm schema ext');
  const place = { ...rest, DATABASE_URL: workingIn(DATABASE_URL, 'public,ext') };
  expect((await run('restore', place, file)).code).toBe(0);
  expect(await contentOf(place)).toEqual(content);

  // Its dump names that schema.
  const dump = dumped({ DATABASE_URL, DATA_DIR: rest.DATA_DIR });
  const empty = await emptyPlace();
  inShell(linesIn((await run('restore', empty, dump)).output));
  expect(await contentOf(empty)).toEqual(content);
});

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
