import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CHECK_IDS } from '../../contract/system/system.ts';
import { diagnose, exitCodeOf, printed } from '../../ops/doctor.ts';
import { clockAhead } from '../../server/db/diagnosis.ts';
import type { Engine } from '../../server/db/dialect.ts';
import { engineOf, migrationState } from '../../server/db/open.ts';
import { lockDataDir } from '../../server/db/sqlite/data-dir-lock.ts';
import { foldDays } from '../../server/features/figures/fold-days.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { startDns } from '../dns-server.ts';
import { openForTest } from '../empty-database.ts';
import { emptyFolder } from '../empty-folder.ts';
import { activate, createClient, createLicense } from '../factories.ts';
import { SHARED } from '../faults/engines.ts';
import { freePort } from '../postgres/free-port.ts';
import { startSmtpPeer } from '../smtp-peer.ts';

/** `npm run doctor` on broken installations, as in the table in docs/operating.md (OPS-01). */

vi.setConfig({ testTimeout: 120_000 });

const isSqlite = process.env.TEST_ENGINE !== 'postgres';

type Env = Record<string, string | undefined>;

/** The environment of an installation, the same as its server's. */
const envOf = ({ context: { config } }: TestApp, more: Env = {}): Env => ({
  DEMO: '1',
  DATA_DIR: config.dataDir,
  ...(config.databaseUrl !== null && { DATABASE_URL: config.databaseUrl }),
  ...(config.databasePooler !== null && { DATABASE_POOLER: config.databasePooler }),
  ...more,
});

/** The results of the doctor by check: 'state: message'. */
async function look(env: Env, options: { fix?: boolean } = {}) {
  const { found, close } = await diagnose(env, options);
  await close();
  const byId = Object.fromEntries(found.map(({ id, state, message }) => [id, `${state}: ${message}`]));
  for (const { state, remedy } of found) expect(remedy === null).toBe(state === 'ok');
  return { found, byId, code: exitCodeOf(found) };
}

/** An installation whose server listens on the loopback interface. */
async function listening(env: Record<string, string> = {}) {
  const port = await freePort();
  const t = await createTestApp({ env: { PORT: String(port), ...env } });
  await t.app.listen({ port, host: '127.0.0.1' });
  return { t, env: envOf(t, { PORT: String(port), ...env }) };
}

/** The counters of failed sign-ins. */
const signIns = ({ db }: TestApp) =>
  db.selectFrom('throttles').select('key').where('key', 'like', 'sign-in:%').orderBy('key').execute();

test('a correct installation is ok in every check, also beside its running server (OPS-01)', async () => {
  const { t, env } = await listening();
  await activate(t, (await createLicense(t)).license_key, 'caja-01');
  const before = await signIns(t);
  const { found, byId } = await look(env);
  const failing = found.filter(({ state, id }) => state !== 'ok' && id !== 'disk');
  expect(failing).toEqual([]);
  expect(byId.public_url).toMatch(/lleva a este servidor/);
  expect(byId.trust_proxy).toBe('ok: Una dirección inventada (X-Forwarded-For) no cambia nada.');
  expect(byId.migrations).toMatch(/^ok: Al día/);
  expect(byId.secret_key).toBe('ok: Es la de esta base de datos.');
  const own = isSqlite
    ? ['quick_check', 'write_ahead_log']
    : ['pg_trgm', 'rights', 'statement_timeout', 'replication'];
  expect(Object.keys(byId)).toEqual(
    expect.arrayContaining([...own, 'counts', 'seats', 'sums', 'recurring', 'usage', 'clock']),
  );
  const order = found.map(({ id }) => CHECK_IDS.indexOf(id));
  expect(order).toEqual([...order].sort((a, b) => a - b));
  // Its attempts to sign in do not count for any user.
  expect(await signIns(t)).toEqual(before);
});

test('1. an invalid configuration lists each wrong variable (OPS-01)', async () => {
  const { byId, found, code } = await look({ PORT: 'abc', AUTH_ERRORS: 'x' });
  expect(found).toHaveLength(1);
  expect(byId.configuration).toMatch(/^failure: .*PORT: .*AUTH_ERRORS: debe ser specific o generic/);
  expect(code).toBe(2);
});

test('2. a missing database is reported with its place, and the other checks still run (OPS-01)', async () => {
  const folder = emptyFolder();
  const absent = await look({ DATA_DIR: folder, DEMO: '1' });
  expect(absent.byId.database).toBe(`failure: No hay una base de datos en ${folder}.`);
  expect(absent.byId.configuration).toBe('ok: Modo de demostración.');
  expect(absent.byId).not.toHaveProperty('migrations');

  const url = `postgres://nadie@127.0.0.1:${await freePort()}/nada`;
  const silent = await look({ DATA_DIR: folder, DEMO: '1', DATABASE_URL: url });
  expect(silent.byId.database).toBe('failure: La base de datos no responde en la dirección de DATABASE_URL.');
  expect(silent.byId).not.toHaveProperty('jobs');
});

test.runIf(isSqlite)(
  '3. a file whose beginning is damaged is reported with the remedy (OPS-01)',
  async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'license-manager.sqlite'), Buffer.alloc(8192, 'x'));
    const { byId, found } = await look({ DATA_DIR: folder, DEMO: '1' });
    expect(byId.database).toMatch(/^failure: .*no es una base de datos, o su comienzo está dañado/);
    expect(found.find(({ id }) => id === 'database')?.remedy).toContain('npm run restore');
  },
);

test.runIf(isSqlite)('4. a file with a damaged page fails its check (OPS-01)', async () => {
  const t = await createTestApp();
  for (let n = 0; n < 40; n += 1) await createClient(t);
  const file = join(t.context.config.dataDir, 'license-manager.sqlite');
  const direct = new Database(file);
  direct.pragma('wal_checkpoint(truncate)');
  const { rootpage } = direct.prepare("select rootpage from sqlite_master where name = 'clients'").get() as {
    rootpage: number;
  };
  const size = direct.pragma('page_size', { simple: true }) as number;
  direct.close();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(size, 0xff), 0, size, (rootpage - 1) * size);
  closeSync(descriptor);
  const { byId, code } = await look(envOf(t));
  expect(byId.quick_check).toMatch(/^failure: El archivo está dañado/);
  expect(code).toBe(2);
});

test('5. a different or missing SECRET_KEY is reported (OPS-01)', async () => {
  const t = await createTestApp();
  const other = await look(envOf(t, SHARED));
  expect(other.byId.secret_key).toBe('failure: La base de datos se creó con otra SECRET_KEY.');
  if (isSqlite) rmSync(join(t.context.config.dataDir, 'secret.key'));
  const lost = await look(envOf(t, isSqlite ? {} : { DATA_DIR: emptyFolder() }));
  expect(lost.byId.secret_key).toMatch(/^failure: No hay SECRET_KEY ni secret\.key/);
});

test('6. a newer schema and an older one get different messages (OPS-01)', async () => {
  const t = await createTestApp();
  await sql`insert into kysely_migration values ('999-later', '2030-01-01T00:00:00.000Z')`.execute(t.db);
  const newer = await look(envOf(t));
  expect(newer.byId.migrations).toMatch(/^failure: .*versión más nueva del programa \(999-later\)/);
  expect(newer.byId).not.toHaveProperty('seats');
  await sql`delete from kysely_migration where name = '999-later'`.execute(t.db);
  const foundAs = async (name: string) => {
    await sql`update kysely_migration set name = ${name}`.execute(t.db);
    const { byId } = await look(envOf(t));
    return byId.migrations;
  };
  const [own] = (await migrationState(t.db)).applied;
  const old = await foundAs('041-quicker-filters');
  await sql`create table folds (name text primary key, ended_at text)`.execute(t.db);
  const unended = await foundAs('103-named-by-the-field');
  for (const name of ['machine_ids', 'search_texts', 'payment_texts']) {
    await sql`insert into folds values (${name}, '2026-11-26T00:00:00.000Z')`.execute(t.db);
  }
  const before = await foundAs('103-named-by-the-field');
  // Restored, because another test may use the database.
  await sql`drop table folds`.execute(t.db);
  await sql`update kysely_migration set name = ${own}`.execute(t.db);
  expect(old).toBe('failure: La base de datos es de una versión anterior a la 0.3.0.');
  expect(unended).toMatch(/^failure: .*no han terminado: «Identificadores de equipos de antes», «Textos/);
  expect(before).toBe('warning: Falta 1 migración de esta versión del programa.');
});

test('7. a PUBLIC_URL of another installation, of another program or of nothing is reported (OPS-01)', async () => {
  const { env } = await listening();
  const other = await createTestApp();
  const elsewhere = `http://127.0.0.1:${env.PORT}`;
  const wrong = await look(envOf(other, { PUBLIC_URL: elsewhere }));
  expect(wrong.byId.public_url).toBe(
    `failure: En ${elsewhere} responde otro License Manager, con otra base de datos.`,
  );
  const dead = `http://127.0.0.1:${await freePort()}`;
  const nobody = await look(envOf(other, { PUBLIC_URL: dead }));
  expect(nobody.byId.public_url).toBe(`failure: ${dead} no responde: nada escucha en ese puerto.`);
});

test('8. a proxy setting that accepts a forged address is a failure (OPS-01)', async () => {
  const { t, env } = await listening({ TRUST_PROXY: '1' });
  const before = await signIns(t);
  const { byId } = await look(env);
  expect(byId.trust_proxy).toMatch(/^failure: El servidor cree una dirección inventada/);
  expect(await signIns(t)).toEqual(before);
});

test('9. a mail server that refuses the password is a failure with the reason (OPS-01)', async () => {
  const t = await createTestApp();
  const peer = await startSmtpPeer({ auth: 'refuse' });
  onTestFinished(peer.stop);
  const { byId } = await look(envOf(t, { SMTP_URL: peer.url }));
  expect(byId.smtp).toMatch(/^failure: No acepta correo: .*535/);
});

test('10. a domain without SPF, DMARC or its DKIM key is reported, and is ok with them (OPS-01)', async () => {
  const t = await createTestApp();
  const peer = await startSmtpPeer();
  onTestFinished(peer.stop);
  const texts: Record<string, string[]> = {};
  await startDns(texts);
  const env = envOf(t, {
    SMTP_URL: peer.url,
    MAIL_FROM: 'Ventas <ventas@correo.ejemplo.mx>',
    DKIM_SELECTOR: 's1',
  });
  const bare = await look(env);
  expect(bare.byId.smtp).toMatch(/^ok/);
  expect(bare.byId.spf).toMatch(/^warning: correo\.ejemplo\.mx no tiene SPF/);
  expect(bare.byId.dmarc).toMatch(/^warning: correo\.ejemplo\.mx no tiene DMARC/);
  expect(bare.byId.dkim).toMatch(/^failure: s1\._domainkey\.correo\.ejemplo\.mx no existe/);

  texts['correo.ejemplo.mx'] = ['otra=cosa', 'v=spf1 include:_spf.ejemplo.mx -all'];
  texts['_dmarc.ejemplo.mx'] = ['v=DMARC1; p=none'];
  texts['s1._domainkey.correo.ejemplo.mx'] = [`v=DKIM1; p=${'A'.repeat(300)}`];
  const full = await look(env);
  expect([full.byId.spf, full.byId.dmarc, full.byId.dkim]).toEqual([
    'ok: correo.ejemplo.mx lo tiene.',
    'ok: ejemplo.mx lo tiene.',
    'ok: s1._domainkey.correo.ejemplo.mx tiene su clave.',
  ]);
  texts['correo.ejemplo.mx'] = ['v=spf1 -all', 'v=spf1 +all'];
  texts['s1._domainkey.correo.ejemplo.mx'] = ['v=DKIM1; p='];
  const wrong = await look(env);
  expect(wrong.byId.spf).toMatch(/^failure: .* tiene 2 registros SPF/);
  expect(wrong.byId.dkim).toMatch(/^failure: .* está revocada/);
});

/** Makes each stored figure of an installation wrong. */
async function spoil({ db }: TestApp): Promise<void> {
  await sql`update row_counts set n = n + 3 where table_name = 'clients'`.execute(db);
  await sql`update licenses_of_clients set n = n + 1`.execute(db);
  await sql`update licenses set current_installations = 2`.execute(db);
  await sql`delete from full_licenses`.execute(db);
  await sql`update day_sums set n = n + 1`.execute(db);
  await sql`update usage_counts set used = used - 2`.execute(db);
}

test('11. wrong counts, seats, sums and usage are found, and --fix corrects them (OPS-01)', async () => {
  const t = await createTestApp();
  const meters = { facturas: { limit: 10, period: 'year', overage: 'refuse' } } as const;
  const license = await createLicense(t, { max_installations: 1, meters });
  await createLicense(t);
  await activate(t, license.license_key, 'caja-01');
  const records = [{ code: 'facturas', amount: 7, request_id: 'factura-1' }];
  await t.call('POST', '/licenses/api/usage/', {
    token: null,
    body: { license_key: license.license_key, machine_id: 'caja-01', records },
  });
  await foldDays(t.db, { signal: new AbortController().signal, worthIt: 1 });
  const sound = await look(envOf(t));
  expect([sound.byId.counts, sound.byId.seats, sound.byId.sums, sound.byId.usage]).toEqual([
    'ok: Coinciden con los registros.',
    'ok: Coinciden con los registros.',
    'ok: Coinciden con los registros.',
    'ok: Coinciden con los registros.',
  ]);
  const rowsOf = async () => ({
    counts:
      await sql`select table_name, status, kind, sum(n) as n from row_counts group by 1, 2, 3 having sum(n) <> 0 order by 1, 2, 3`.execute(
        t.db,
      ),
    clients: await t.db.selectFrom('licenses_of_clients').selectAll().orderBy('client_id').execute(),
    seats: await t.db.selectFrom('licenses').select(['id', 'current_installations']).orderBy('id').execute(),
    full: await t.db.selectFrom('full_licenses').select(['license_id', 'status', 'expiry_date']).execute(),
    sums: await t.db
      .selectFrom('day_sums')
      .selectAll()
      .orderBy('fact')
      .orderBy('software_id')
      .orderBy('day')
      .execute(),
    usage: await t.db.selectFrom('usage_counts').selectAll().execute(),
  });
  const before = await rowsOf();
  await spoil(t);
  const wrong = await look(envOf(t));
  expect(wrong.byId.counts).toMatch(/^failure: \d+ cuentas guardadas no coinciden/);
  expect(wrong.byId.seats).toMatch(/^failure: \d+ licencias cuentan otros lugares/);
  expect(wrong.byId.sums).toMatch(/^failure: \d+ sumas por día no coinciden/);
  expect(wrong.byId.usage).toBe('failure: 1 consumo guardado no coincide con sus registros.');
  expect(wrong.found.find(({ id }) => id === 'seats')?.remedy).toContain('npm run doctor -- --fix');
  const fixed = await look(envOf(t), { fix: true });
  expect(fixed.byId.counts).toMatch(/^ok: .*Quedó corregido/);
  expect(fixed.byId.seats).toMatch(/^ok: .*Quedó corregido/);
  expect(fixed.byId.sums).toMatch(/^ok: .*Quedó corregido/);
  expect(fixed.byId.usage).toMatch(/^ok: .*Quedó corregido/);
  expect((await look(envOf(t))).byId.sums).toBe('ok: Coinciden con los registros.');
  expect(JSON.stringify(await rowsOf())).toBe(JSON.stringify(before));
});

test.runIf(isSqlite)(
  '--fix changes nothing while a server is running, and says to stop it (OPS-01)',
  async () => {
    const t = await createTestApp();
    await createClient(t);
    await sql`update row_counts set n = n + 3 where table_name = 'clients'`.execute(t.db);
    const lock = lockDataDir(t.context.config.dataDir, new Date(), 'UTC');
    onTestFinished(lock.release);
    const { byId, found } = await look(envOf(t), { fix: true });
    expect(byId.counts).toMatch(/^failure/);
    expect(found.find(({ id }) => id === 'counts')?.remedy).toContain('El servidor está en marcha');
  },
);

/** A TLS server on the loopback interface with a self-signed certificate that is valid for three days. */
async function tlsServer(): Promise<{ url: string; certificate: string }> {
  const folder = emptyFolder();
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '3',
      ],
      ...[
        '-subj',
        '/CN=localhost',
        '-addext',
        'subjectAltName=DNS:localhost',
        '-keyout',
        key,
        '-out',
        certificate,
      ],
    ],
    { stdio: 'ignore' },
  );
  const server = createServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    (_request, answer) => {
      answer.writeHead(404).end();
    },
  );
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `https://localhost:${(server.address() as AddressInfo).port}`, certificate };
}

test('12. a certificate that no authority signed is a failure, and one that ends soon a warning (OPS-01)', async () => {
  const t = await createTestApp();
  const { url, certificate } = await tlsServer();
  const env = envOf(t, { PUBLIC_URL: url });
  const { byId } = await look(env);
  expect(byId.certificate).toBe('failure: Los navegadores no lo aceptan: su certificado lo firmó él mismo.');
  expect(byId.public_url).toContain('su certificado lo firmó él mismo');
  const { output } = await run(['--json'], { ...env, NODE_EXTRA_CA_CERTS: certificate });
  expect(JSON.parse(output).checks).toContainEqual(
    expect.objectContaining({ id: 'certificate', state: 'warning', message: 'Le quedan 2 días.' }),
  );
});

test.runIf(!isSqlite)(
  '13. a clock that is a minute off is a failure that says whether it is ahead or behind (OPS-01)',
  async () => {
    const t = await createTestApp();
    const shifted = join(import.meta.dirname, '..', 'shifted-clock.mjs');
    const { output } = await run(['--json'], {
      ...envOf(t),
      NODE_OPTIONS: `--import=${shifted}`,
      CLOCK_SHIFT_MS: '60000',
    });
    const clock = JSON.parse(output).checks.find(({ id }: { id: string }) => id === 'clock');
    expect(clock.state).toBe('failure');
    expect(clock.message).toMatch(/^Este equipo está (59|60|61) s adelantado/);
  },
);

test.runIf(!isSqlite)(
  '13. a clock is not off because its answer waited for a connection (OPS-01)',
  async () => {
    const t = await createTestApp();
    const one = openForTest({ ...engineOf(t.context.config), pool: 1 } as Engine);
    const held = sql`select pg_sleep(3)`.execute(one);
    // Half of the wait would count as a difference of the clocks.
    expect(Math.abs((await clockAhead(one))!)).toBeLessThan(1000);
    await held;
  },
);

test('failed jobs, mails and webhooks are warnings (OPS-01)', async () => {
  const t = await createTestApp();
  const at = t.context.now().toISOString();
  const job = { name: null, payload: '{}', claimed_until: null, tries: 3, last_error: 'x', created_at: at };
  await t.db
    .insertInto('jobs')
    .values({ ...job, kind: 'bulk', run_at: at, failed_at: at })
    .execute();
  const { byId, code } = await look(envOf(t));
  expect(byId.jobs).toBe('warning: 1 trabajo falló y no se reintentará.');
  expect(code).toBe(1);
  const late = new Date(t.context.now().getTime() - 3_600_000).toISOString();
  await t.db
    .insertInto('jobs')
    .values({ ...job, kind: 'bulk', run_at: late, failed_at: null })
    .execute();
  expect((await look(envOf(t))).byId.jobs).toMatch(/^failure: 1 trabajo espera/);
});

test.runIf(!isSqlite)('13. missing permissions of the database role are listed (OPS-01)', async () => {
  const t = await createTestApp();
  const role = `lm_doctor_${process.pid}`;
  await sql.raw(`create role ${role} login`).execute(t.db);
  await sql.raw(`grant select on all tables in schema public to ${role}`).execute(t.db);
  onTestFinished(async () => {
    await sql.raw(`drop owned by ${role}`).execute(t.db);
    await sql.raw(`drop role ${role}`).execute(t.db);
  });
  const url = new URL(t.context.config.databaseUrl!);
  url.username = role;
  url.password = '';
  if (t.context.config.databasePooler !== null) return;
  const { byId } = await look(envOf(t, { DATABASE_URL: url.toString() }));
  const lacksRights = /^failure: El usuario de DATABASE_URL no puede leer y escribir \d+ tablas/;
  expect(byId.rights).toMatch(lacksRights);

  await sql`alter schema public rename to "Programa"`.execute(t.db);
  onTestFinished(async () => {
    await sql`alter schema "Programa" rename to public`.execute(t.db);
  });
  url.searchParams.set('options', '-c search_path="Programa"');
  const inOther = await look(envOf(t, { DATABASE_URL: url.toString() }));
  expect(inOther.byId.rights, 'in a schema whose name has capital letters').toMatch(lacksRights);
});

/** The account of a service, to which its data folder belongs. */
const SERVICE = 65_534;
const asRoot = test.runIf(isSqlite && process.getuid?.() === 0);

asRoot(
  "14. files that the owner of the data folder cannot use are listed, when it is root's doctor (OPS-01)",
  async () => {
    const t = await createTestApp();
    const { dataDir } = t.context.config;
    const file = (name: string) => join(dataDir, name);
    expect((await look(envOf(t))).byId).not.toHaveProperty('data_dir');
    for (const name of readdirSync(dataDir)) chownSync(file(name), SERVICE, SERVICE);
    chownSync(dataDir, SERVICE, SERVICE);
    expect((await look(envOf(t))).byId.data_dir).toBe('ok: Su dueño puede usar lo que tiene.');

    // What root restored by hand.
    chownSync(file('secret.key'), 0, 0);
    mkdirSync(file('outbox'), { mode: 0o700 });
    writeFileSync(file('notas de root'), 'nadie más las lee', { mode: 0o600 });
    const { byId, found, code } = await look(envOf(t));
    expect(byId.data_dir).toBe(
      'failure: La carpeta de datos es de la cuenta 65534, que no puede usar secret.key, outbox.',
    );
    expect(found.find(({ id }) => id === 'data_dir')?.remedy).toBe(
      `Si es la del servidor: chown -R 65534:65534 '${file('secret.key')}' '${file('outbox')}'`,
    );
    expect(code).toBe(2);
    for (const name of ['secret.key', 'outbox']) chmodSync(file(name), 0o777);
    expect((await look(envOf(t))).byId.data_dir).toMatch(/^ok/);
  },
);

asRoot("what root's --fix leaves in the data folder belongs to its owner (OPS-01)", async () => {
  const t = await createTestApp();
  const { dataDir } = t.context.config;
  rmSync(join(dataDir, 'server.lock'), { force: true });
  chownSync(dataDir, SERVICE, SERVICE);
  await look(envOf(t), { fix: true });
  expect(statSync(join(dataDir, 'server.lock')).uid).toBe(SERVICE);
});

/** Runs the command like an operator. */
async function run(args: string[], env: Env) {
  const child = spawn(process.execPath, ['ops/doctor.ts', ...args], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } as NodeJS.ProcessEnv,
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const [code] = await once(child, 'close');
  return { code, output, complaint };
}

test('the command prints ok, aviso and falla or JSON, with the exit code, and refuses unknown arguments (OPS-01)', async () => {
  const t = await createTestApp();
  const env = envOf(t, SHARED);
  const json = await run(['--json'], env);
  expect([json.code, json.complaint]).toEqual([2, '']);
  const { checks } = JSON.parse(json.output);
  for (const check of checks) expect(Object.keys(check)).toEqual(['id', 'state', 'message', 'remedy']);
  expect(checks).toContainEqual(expect.objectContaining({ id: 'secret_key', state: 'failure' }));
  const wrong = await run(['--nada'], env);
  expect([wrong.code, wrong.output]).toEqual([1, '']);
  expect(wrong.complaint).toContain('Uso: npm run doctor');
  const { found, close } = await diagnose(env);
  await close();
  expect(printed(found)).toMatch(/^falla {2}SECRET_KEY +La base de datos se creó con otra SECRET_KEY\.$/m);
  expect(printed(found)).toMatch(/^ok {5}Base de datos /m);
});

test('the support bundle contains neither secrets nor personal data (OPS-01)', async () => {
  const peer = await startSmtpPeer({ auth: 'refuse' });
  onTestFinished(peer.stop);
  const t = await createTestApp();
  const client = await createClient(t, {
    name: 'Xochitl Quetzalcoatl',
    email: 'xochitl@privado.example',
    phone: '+525598765432',
    company: 'Tlapaleria Secreta',
  });
  const license = await createLicense(t, { client: client.id });
  await activate(t, license.license_key, 'equipo-de-xochitl');
  const at = t.context.now().toISOString();
  await t.db
    .insertInto('jobs')
    .values({
      ...{
        kind: 'mail',
        name: null,
        claimed_until: null,
        tries: 3,
        created_at: at,
        run_at: at,
        failed_at: at,
      },
      payload: '{"to":"xochitl@privado.example"}',
      last_error: '550 xochitl@privado.example 10.1.2.3 no existe',
    })
    .execute();
  await sql`update row_counts set n = n + 3 where table_name = 'clients'`.execute(t.db);
  const secrets = {
    ...SHARED,
    SMTP_URL: peer.url.replace('clave', 'contrasena-smtp'),
    MAIL_FROM: 'Xochitl <ventas@privado.example>',
    PUBLIC_URL: 'http://licencias.privado.example:9',
    ADMIN_USERNAME: 'xochitl-admin',
    ADMIN_PASSWORD: 'tres tristes tigres en trigal',
    NODE_ENV: 'production',
    DEMO: '0',
  };
  const file = join(emptyFolder(), 'informe.txt');
  const { code, output } = await run(['--bundle', file], envOf(t, secrets));
  expect([code, output]).toEqual([2, expect.stringContaining(`Escrito en ${file}`)]);
  const text = readFileSync(file, 'utf8');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const known = [
    ...['Xochitl', 'xochitl', 'Quetzalcoatl', 'privado', 'Tlapaleria', '5598765432', license.license_key],
    ...['contrasena-smtp', 'tres tristes', String(SHARED.SECRET_KEY), '10.1.2.3', '127.0.0.1', 'usuario:'],
    ...[
      t.context.config.dataDir,
      client.email,
      new URL(t.context.config.databaseUrl ?? 'postgres://u:p@h/nada').pathname,
    ],
  ];
  for (const secret of known) expect([secret, text.includes(secret)]).toEqual([secret, false]);
  expect(text).toContain('clients 1');
  expect(text).toContain('mail 1 en espera, 1 fallaron');
  expect(text).toContain('counts: failure: ');
  expect(text).toContain('secret_key: failure: La base de datos se creó con otra SECRET_KEY.');
  expect(text).toContain('NODE_ENV=production');
});
