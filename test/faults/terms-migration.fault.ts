import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, onTestFinished, test } from 'vitest';
import { migrationProvider } from '../../server/db/migrations/index.ts';
import { prepareDataDir } from '../../server/db/open.ts';
import type { Tables } from '../../server/db/tables.ts';
import type { ServerEnv } from '../start-server.ts';
import { ENGINES, type EngineName, engineEnv } from './engines.ts';
import { record } from './promises.ts';
import { withDatabase } from './stored-rows.ts';

/** The number of licences in the old database. */
const LICENSES = Number(process.env.LM_FAULT_LICENSES ?? 1_000_000);
/** The maximum time of a start with a million licences. */
const BOUND_MS = 60_000;
/** The times at which a start is killed, while the rows are being written. */
const KILLS_MS = [1000, 2000, 3500];

const root = join(import.meta.dirname, '..', '..');

/** Creates licences as they were before terms existed: of all statuses, some without an end. */
async function fillOldDatabase(db: Kysely<Tables>, engine: EngineName): Promise<void> {
  const { error } = await new Migrator({ db, provider: migrationProvider }).migrateTo('013-figures-of-today');
  if (error) throw error;
  const stamp = "'2026-01-01T00:00:00.000Z'";
  await sql`insert into clients (id, name, name_order, email, email_key, company, company_order, phone, phone_secondary,
      address, city, state, country, postal_code, client_type, status, contact_person, contact_position, tax_id,
      website, notes, search_text, created_at, updated_at) ${sql.raw(OVERRIDING[engine])}
    values (1, 'Ana', 'ana', 'ana@example.com', 'ana@example.com', '', '', '+525512345678', '', '', '', '', 'México',
      '00000', 'individual', 'active', '', '', '', '', '', 'ana', ${sql.raw(stamp)}, ${sql.raw(stamp)})`.execute(
    db,
  );
  await sql`insert into software (id, name, name_order, version, identity_key, description, is_active, search_text,
      created_at, updated_at) ${sql.raw(OVERRIDING[engine])}
    values (1, 'Caja', 'caja', '1', 'caja 1', '', ${sql.raw(engine === 'sqlite' ? '1' : 'true')}, 'caja',
      ${sql.raw(stamp)}, ${sql.raw(stamp)})`.execute(db);
  await sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(LICENSES)})
    insert into licenses (license_key, client_id, software_id, license_type, status, price_cents,
      discount_percentage, promotion_name, promotion_description, max_installations, current_installations,
      issued_date, expiry_date, notes, search_text, created_at, updated_at)
    select 'VIEJA-' || n, 1, 1, 'premium', case n % 10 when 0 then 'cancelled' when 1 then 'trial' else 'active' end,
      100 + n % 5000, 0, '', '', 5, 0, ${sql.raw(DAY_OF_N[engine])},
      case when n % 20 = 0 then null else ${sql.raw(DAY_OF_N[engine])} end, '', '', ${sql.raw(stamp)}, ${sql.raw(stamp)}
    from numbers`.execute(db);
}

/** PostgreSQL generates ids unless a statement overrides it. */
const OVERRIDING = { sqlite: '', postgres: 'overriding system value' };
/** Days distributed over three years. */
const DAY_OF_N = {
  sqlite: "strftime('%Y-%m-%dT12:00:00.000Z', '2024-01-01', '+' || (n % 1000) || ' days')",
  postgres: "timestamptz '2024-01-01 12:00:00Z' + (n % 1000) * interval '1 day'",
};

/** Starts a migration in a separate process. */
function startMigration(env: ServerEnv) {
  const child = spawn(process.execPath, ['test/faults/migrate-and-die.ts', '0'], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { child, ended: once(child, 'close').then(([code]) => code as number | null) };
}

const hasTerms = async (db: Kysely<Tables>) =>
  (await db.introspection.getTables()).some(({ name }) => name === 'license_terms');

/** Sums that must be equal for the terms and for the licences from which they were created. */
const sumsOf = async (db: Kysely<Tables>, engine: EngineName, table: 'licenses' | 'license_terms') => {
  const [id, end, cancelled] =
    table === 'licenses'
      ? ['id', 'expiry_date', "case when status = 'cancelled' then 1 end"]
      : [
          'license_id',
          'ends',
          `case when ${engine === 'sqlite' ? 'is_counted = 0' : 'not is_counted'} then 1 end`,
        ];
  const { rows } = await sql<
    Record<string, number | string>
  >`select count(*) as n, count(distinct ${sql.ref(id!)}) as licences,
      sum(${sql.ref(id!)}) as ids, sum(price_cents) as cents, count(${sql.ref(end!)}) as ending,
      count(${sql.raw(cancelled!)}) as cancelled
    from ${sql.table(table)}`.execute(db);
  return Object.fromEntries(Object.entries(rows[0]!).map(([name, value]) => [name, Number(value)]));
};

test.for(ENGINES)(
  'the migration of terms, killed and started twice with many licences, loses and doubles no term, %s',
  { timeout: 550_000 },
  async (engine, context) => {
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'lm-terms-'));
    onTestFinished(() => rmSync(DATA_DIR, { recursive: true, force: true }));
    const env = { ...(await engineEnv(engine)), DATA_DIR };
    prepareDataDir(DATA_DIR);
    const inDatabase = <Result>(work: (db: Kysely<Tables>) => Promise<Result>) =>
      withDatabase({ dataDir: DATA_DIR }, env, work);
    await inDatabase((db) => fillOldDatabase(db, engine));

    let kills = 0;
    for (const after of KILLS_MS) {
      const { child, ended } = startMigration(env);
      await Promise.race([setTimeout(after), ended]);
      if (!child.kill('SIGKILL')) break;
      if ((await ended) === 0) break;
      kills += 1;
      // The schema before it is complete: the migration starts again from the beginning. On PostgreSQL it may be over,
      // because each migration is one transaction.
      if (engine === 'postgres' && (await inDatabase(hasTerms))) {
        await inDatabase(async (db) => {
          expect(await sumsOf(db, engine, 'license_terms')).toEqual(await sumsOf(db, engine, 'licenses'));
        });
      } else {
        expect(await inDatabase(hasTerms)).toBe(false);
      }
    }
    expect(kills).toBeGreaterThan(0);

    const began = performance.now();
    // Only one process may use a SQLite file; replicas share a PostgreSQL database.
    const replicas = engine === 'sqlite' ? 1 : 2;
    const codes = await Promise.all(Array.from({ length: replicas }, () => startMigration(env).ended));
    const took = performance.now() - began;
    expect(codes).toEqual(codes.map(() => 0));
    expect(took).toBeLessThan(BOUND_MS);

    const again = await startMigration(env).ended;
    expect(again).toBe(0);
    await inDatabase(async (db) => {
      const terms = await sumsOf(db, engine, 'license_terms');
      expect(terms).toEqual(await sumsOf(db, engine, 'licenses'));
      expect(terms.n).toBe(LICENSES);
    });
    record(context, {
      promise: 'the migration of terms, killed, begins anew; no term is missing or doubled, replicas wait',
      engine,
      tried: `${LICENSES.toLocaleString('en')} licences, ${kills} kills; then ${replicas} at once: ${(took / 1000).toFixed(1)} s`,
    });
  },
);
