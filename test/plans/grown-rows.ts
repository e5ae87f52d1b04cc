import { type Kysely, sql } from 'kysely';
import { seedReports } from '../../bench/reports-data.ts';
import { isPostgres } from '../../server/db/dialect.ts';
import type { Tables } from '../../server/db/tables.ts';

/** More rows than a list reads at once (LIST_LIMITS), so that both ways of finding rows are tested. */
export const GROWN = { clients: 1200, licenses: 2400, installations: 4800 };

const EVENTS = 3000;
const MAILS = 2400;
const NOTES = 2400;
const TAGS = 40;
const DELIVERIES = 1500;
const PEOPLE = 300;

/** Fills a database with some thousands of rows in each table that grows by use. */
export async function insertGrownRows(db: Kysely<Tables>, now: Date): Promise<void> {
  await seedReports(db, GROWN, now);
  await sql`update licenses set status = 'trial', license_type = 'trial' where id % 20 = 1`.execute(db);
  await sql`update licenses set max_installations = current_installations where id % 15 = 2`.execute(db);
  const at = now.toISOString();
  const numbers = (count: number) =>
    sql`(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)}) select n from numbers) as numbers`;
  // PostgreSQL gives parameters in an insert from a query no type, so the values are written as literals.
  const stamp = isPostgres(db) ? sql`${sql.lit(at)}::timestamptz` : sql.lit(at);
  await sql`insert into events (at, type, actor_kind, actor_id, actor_name, subject_id, subject_name, client_id, client_name,
      license_id, license_key, software_id, changes)
    select ${stamp}, case when n % 3 = 0 then 'license.created' else 'installation.activated' end,
      case when n % 3 = 0 then 'user' else 'machine' end, case when n % 3 = 0 then 1 end, 'Alguien', n, 'Algo',
      n % ${sql.lit(GROWN.clients)} + 1, 'Cliente', n % ${sql.lit(GROWN.licenses)} + 1, 'CLAVE', n % 50 + 1, '{}'
    from ${numbers(EVENTS)}`.execute(db);
  await sql`insert into outbox (license_id, client_id, message_id, to_name, to_address, subject, body_text, body_html, status, created_at,
      sent_at, kind)
    select n, n % ${sql.lit(GROWN.clients)} + 1, 'mensaje-' || n, 'Cliente', 'cliente@example.com', 'Asunto', 'Texto', '<p>Texto</p>',
      case when n % 40 = 0 then 'failed' when n % 50 = 1 then 'queued' else 'sent' end, ${stamp},
      case when n % 40 <> 0 and n % 50 <> 1 then ${stamp} end, 'license_issued'
    from ${numbers(MAILS)}`.execute(db);
  await sql`insert into notes (client_id, license_id, text, pinned, remind_on, actor_kind, actor_id, actor_name, created_at,
      updated_at)
    select client_id, case when id % 2 = 0 then id end, 'Nota', case when id % 9 = 0 then 1 else 0 end,
      case when id % 3 = 0 then '20' || (10 + id % 80) || '-01-31' end, 'user', 1, 'Alguien', ${stamp}, ${stamp}
    from licenses where id <= ${sql.lit(NOTES)}`.execute(db);
  // Machines that left some of the licences.
  await sql`insert into released_seats (license_id, machine_id, machine_key, holds_until, heard_at)
    select id, 'equipo-' || id, 'equipo-' || id, ${stamp}, ${stamp} from licenses where id % 2 = 0`.execute(
    db,
  );
  await sql`insert into tags (tag_key, tag) select 'tag ' || n, 'Tag ' || n from ${numbers(TAGS)}`.execute(
    db,
  );
  for (const table of ['clients', 'licenses'])
    await sql`update ${sql.table(table)} set tags = '["Tag ' || (case when id % 2 = 0 then 1 else 1 + id % ${sql.lit(TAGS)} end) || '"]' where id % 3 = 0`.execute(
      db,
    );
  await sql`insert into webhooks (url, types, description, is_active, secret, created_at, updated_at)
    select 'https://example.com/' || n, '["*"]', '', ${sql.lit(isPostgres(db) ? true : 1)}, '', ${stamp}, ${stamp}
    from ${numbers(4)}`.execute(db);
  await sql`insert into webhook_deliveries (webhook_id, message_id, event_id, type, body, status, tries, created_at, finished_at)
    select n % 4 + 1, 'mensaje-' || n, n, 'license.created', '{}', case when n % 20 = 0 then 'failed' else 'delivered' end, 1,
      ${stamp}, ${stamp}
    from ${numbers(DELIVERIES)}`.execute(db);
  await sql`insert into webhook_attempts (delivery_id, at, duration_ms, status, by_hand)
    select n, ${stamp}, 5, 200, ${sql.lit(isPostgres(db) ? false : 0)} from ${numbers(DELIVERIES)}`.execute(
    db,
  );
  await sql`insert into sessions (user_id, created_at, expires_at) select 1, ${stamp}, ${stamp} from ${numbers(PEOPLE)}`.execute(
    db,
  );
  await sql`insert into tokens (hash, session_id, kind, expires_at)
    select 'token-' || id, id, 'refresh', ${stamp} from sessions`.execute(db);
}
