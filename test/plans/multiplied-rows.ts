import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../server/db/tables.ts';

/** Rows in one statement, which PostgreSQL cancels after five seconds. */
const STATEMENT_ROWS = 1000;

/**
 * The tables of which answers show rows, and which grow by use. With each are the columns in which its copies differ:
 * those of unique keys, and those by which answers group rows. All copies have the same parents. Parents come first.
 */
const SHOWN: { [Table in keyof Tables]?: readonly (keyof Tables[Table] & string)[] } = {
  users: ['username', 'username_key', 'email'],
  sessions: [],
  api_keys: ['hash'],
  saved_views: ['name', 'name_order'],
  clients: ['email', 'email_key', 'country', 'state', 'city'],
  software: ['name', 'name_order', 'code', 'identity_key'],
  license_types: ['name', 'name_order'],
  licenses: ['license_key', 'search_text'],
  installations: ['machine_id', 'machine_key', 'app_version'],
  license_terms: [],
  notes: [],
  license_checks: ['machine_id'],
  unknown_key_checks: ['machine_id'],
  // Its reasons are a closed list, so its rows grow by days, and an answer has those of its period.
  check_days: ['day'],
  usage_counts: ['period'],
  signing_keys: ['kid'],
  outbox: ['message_id'],
  events: [],
  jobs: [],
  bulk_jobs: [],
  imports: [],
  import_errors: ['row', 'position'],
  webhook_deliveries: ['message_id'],
  webhook_attempts: [],
  payment_requests: ['reference', 'code_hash'],
  payments: ['source'],
  backups: ['name'],
};

/** The other tables: they have few rows by their nature, or no answer shows their rows. */
const OTHERS: readonly string[] = [
  // At most so many as a limit of the contract says: WEBHOOKS_MAX, PAYMENT_LIMITS.lines, kinds of mails, providers.
  ...['webhooks', 'payment_lines', 'mail_templates', 'payment_accounts', 'system_checks'],
  // One row.
  ...[
    'settings',
    'mail_settings',
    'payment_settings',
    'vendor_logo',
    'business_zone',
    'backup_plan',
    'secret_proof',
    'reminder_runs',
  ],
  // At most one row for each licence or client; an answer about one of these shows it alone.
  ...['license_certificates', 'license_last_signals', 'license_trials', 'full_licenses', 'reminded_clients'],
  ...['licenses_of_clients', 'bounced_addresses'],
  // The spellings in use, of which an answer has at most TAGS_LISTED; triggers write which records have them.
  ...['tags', 'client_tags', 'license_tags'],
  // Only triggers and jobs write these; answers show sums of them.
  ...[
    'row_counts',
    'license_spans',
    'day_sums',
    'day_changes',
    'day_state',
    'report_figures',
    'payment_moves',
  ],
  ...['recurring_days', 'recurring_clients', 'recurring_changes', 'recurring_state'],
  // The program's own: credentials, what waits for work, and what was done already.
  ...['tokens', 'recovery_codes', 'user_links', 'mfa_challenges', 'used_challenges', 'throttles'],
  ...['oidc_tokens'],
  ...['idempotency_keys'],
  // PASSKEYS_MAX for a person.
  ...['passkeys'],
  // At most one for each client that ended so, and the links of its mails.
  ...['client_merges', 'client_merge_links'],
  // CONTACTS_MAX for a client, and the clients of one address that a code may be for.
  ...['contact_addresses', 'portal_ask_clients'],
  ...['portal_asks', 'portal_sessions', 'bulk_chunks', 'import_chunks', 'import_changes'],
  ...['notification_reads', 'today_marks'],
  ...['license_expiries', 'license_reminders', 'released_seats', 'trials', 'usage_records'],
  ...['payment_checkouts', 'payment_notifications', 'payment_refunds', 'event_retention', 'event_erasure'],
  // The names of some days, of machines that say one.
  ...['running_servers', 'machine_names'],
];

/** The tables that neither list names, such as a new one. */
export async function unnamedTables(db: Kysely<Tables>): Promise<string[]> {
  const named = new Set([...Object.keys(SHOWN), ...OTHERS]);
  const isNamed = (name: string) => named.has(name) || /^kysely_|_search($|_)/.test(name);
  const tables = (await db.introspection.getTables()).filter(({ isView }) => !isView);
  return tables.map(({ name }) => name).filter((name) => !isNamed(name));
}

/**
 * Copies the newest row of each table of which answers show rows, until the table has at least `count`.
 * @throws for a table without a row
 */
export async function multiplyRows(db: Kysely<Tables>, count: number): Promise<void> {
  const tables = new Map((await db.introspection.getTables()).map((table) => [table.name, table]));
  // All machines are of one licence, so its copies have none.
  await sql`update licenses set current_installations = 0`.execute(db);
  for (const [table, varied] of Object.entries(SHOWN)) {
    const columns = tables.get(table)!.columns.filter(({ name }) => name !== 'id');
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
    if (rows.length === 0) throw new Error(`${table} has no row to copy`);
    const names = sql.join(columns.map(({ name }) => sql.ref(name)));
    const values = sql.join(
      columns.map(({ name, dataType }) => {
        if (!(varied as readonly string[]).includes(name)) return sql.ref(`source.${name}`);
        const isNumber = /int/i.test(dataType);
        return isNumber
          ? sql`${sql.ref(`source.${name}`)} + n`
          : sql`${sql.ref(`source.${name}`)} || '-' || n`;
      }),
    );
    for (let from = 1; from <= count; from += STATEMENT_ROWS) {
      const last = Math.min(from + STATEMENT_ROWS - 1, count);
      await sql`with recursive numbers (n) as (select ${sql.lit(from)} union all select n + 1 from numbers where n < ${sql.lit(last)})
        insert into ${sql.table(table)} (${names})
        select ${values} from (select * from ${sql.table(table)} order by 1 desc limit 1) as source, numbers`.execute(
        db,
      );
    }
  }
  await sql`update licenses set current_installations = (select count(*) from installations)
    where id in (select license_id from installations)`.execute(db);
}
