import Database from 'better-sqlite3';
import { type Kysely, sql } from 'kysely';
import { type Engine, forLongWork } from '../server/db/dialect.ts';
import { migrate, migrateIn, openDatabase } from '../server/db/open.ts';
import type { Tables } from '../server/db/tables.ts';
import { prepareSchema } from './postgres-place.ts';

/** Tables that triggers fill when rows are inserted, and sums that a job computes again. They are not copied. */
type Derived =
  | 'row_counts'
  | 'full_licenses'
  | 'licenses_of_clients'
  | 'client_tags'
  | 'license_tags'
  | 'day_sums'
  | 'day_changes'
  | 'day_state'
  | 'recurring_days'
  | 'recurring_clients'
  | 'recurring_changes'
  | 'recurring_state';

/**
 * The other tables, ordered so that referenced tables come first; a test compares the order with the schema. A missing
 * table is a compile error below.
 */
export const ORDER = [
  'users',
  'sessions',
  'tokens',
  'recovery_codes',
  'user_links',
  'oidc_tokens',
  'mfa_challenges',
  'passkeys',
  'used_challenges',
  'api_keys',
  'secret_proof',
  'signing_keys',
  'throttles',
  'tags',
  'clients',
  'client_merges',
  'contact_addresses',
  'license_types',
  'software',
  'licenses',
  'license_terms',
  'notes',
  'license_expiries',
  'license_spans',
  'license_trials',
  'license_reminders',
  'reminder_runs',
  'reminded_clients',
  'client_merge_links',
  'bounced_addresses',
  'license_certificates',
  'installations',
  'portal_asks',
  'portal_ask_clients',
  'portal_sessions',
  'outbox',
  'mail_templates',
  'idempotency_keys',
  'events',
  'event_retention',
  'event_erasure',
  'jobs',
  'bulk_jobs',
  'bulk_chunks',
  'released_seats',
  'license_last_signals',
  'license_checks',
  'unknown_key_checks',
  'check_days',
  'machine_names',
  'imports',
  'import_chunks',
  'import_errors',
  'import_changes',
  'saved_views',
  'notification_reads',
  'today_marks',
  'settings',
  'mail_settings',
  'vendor_logo',
  'business_zone',
  'running_servers',
  'report_figures',
  'payment_requests',
  'payment_lines',
  'payments',
  'payment_moves',
  'payment_checkouts',
  'payment_notifications',
  'payment_refunds',
  'payment_accounts',
  'payment_settings',
  'webhooks',
  'webhook_deliveries',
  'webhook_attempts',
  'usage_counts',
  'usage_records',
  'trials',
  'system_checks',
  'backups',
  'backup_plan',
] as const satisfies (keyof Tables)[];
type Forgotten = Exclude<keyof Tables, (typeof ORDER)[number] | Derived>;
const tables: readonly (keyof Tables)[] & ([Forgotten] extends [never] ? unknown : never) = ORDER;

/** Tables that triggers fill too. The triggers' rows are replaced by the source's rows, which also have the past. */
const BY_TRIGGERS: ReadonlySet<keyof Tables> = new Set([
  'license_expiries',
  'license_spans',
  'license_trials',
  'payment_moves',
]);

const BATCH = 500;

/**
 * Copies all rows of a SQLite file into a PostgreSQL database in one transaction, and continues the id sequences.
 * @param file may be changed, because its schema is migrated
 * @param replace deletes the existing data of the database in the same transaction, so that a failure changes nothing
 */
export async function moveToPostgres(
  file: string,
  engine: Extract<Engine, { kind: 'postgres' }>,
  { replace = false }: { replace?: boolean } = {},
): Promise<void> {
  const older = openDatabase({ kind: 'sqlite', file }, () => {});
  await migrate(older).finally(() => older.destroy());

  const source = new Database(file, { readonly: true });
  const target = openDatabase(forLongWork(engine), () => {});
  try {
    await target.transaction().execute(async (tx) => {
      await prepareSchema(tx, replace);
      await migrateIn(tx);
      for (const table of tables) await copyTable(source, tx, table);
    });
  } finally {
    source.close();
    await target.destroy();
  }
}

async function copyTable(
  source: Database.Database,
  target: Kysely<Tables>,
  table: keyof Tables,
): Promise<void> {
  // Triggers filled it when the licences or payments were inserted.
  if (BY_TRIGGERS.has(table)) await target.deleteFrom(table).execute();
  let batch: unknown[] = [];
  const insert = async () => {
    if (batch.length === 0) return;
    // Columns are matched by name through the table's row type, so their order does not matter, and 1 is converted to
    // true.
    await sql`insert into ${sql.table(table)} overriding system value
      select * from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(batch)}::json)`.execute(
      target,
    );
    batch = [];
  };
  for (const row of source.prepare(`select * from ${table}`).iterate()) {
    batch.push(row);
    if (batch.length === BATCH) await insert();
  }
  await insert();

  // Ids are never reused, not even those of deleted records.
  const last = source.prepare('select seq from sqlite_sequence where name = ?').pluck().get(table);
  if (typeof last !== 'number' || last < 1) return;
  await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(target);
}
