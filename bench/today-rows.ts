import { type Kysely, sql } from 'kysely';
import { addDays, localDay } from '../contract/base/time.ts';
import { isPostgres } from '../server/db/dialect.ts';
import type { Tables } from '../server/db/tables.ts';

/**
 * What 'Para hoy' reads, added to the rows of a grown database: a mail and three events of each licence, and of each
 * kind more rows than an answer shows. 1,000 of them are marked, those that stand in front.
 */
export async function insertTodayRows(db: Kysely<Tables>, licenses: number, now: Date): Promise<void> {
  const onPostgres = isPostgres(db);
  const stamp = (daysAgo: number) => {
    const at = new Date(now.getTime() - daysAgo * 24 * 60 * 60_000).toISOString();
    return onPostgres ? sql`${sql.lit(at)}::timestamptz` : sql.lit(at);
  };
  const numbers = (count: number) =>
    sql`(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)}) select n from numbers) as numbers`;
  const clients = sql.lit(licenses / 5);
  const all = sql.lit(licenses);
  const today = localDay(now, 'UTC');

  await sql`update licenses set status = 'trial', license_type = 'trial' where id % 20 = 1`.execute(db);
  await sql`update licenses set max_installations = current_installations where id % 15 = 2`.execute(db);

  const mails = (count: number, status: string, at: ReturnType<typeof stamp>, name: string) =>
    sql`insert into outbox (license_id, client_id, message_id, to_name, to_address, subject, body_text, body_html, status,
        created_at, sent_at, kind)
      select n, (n - 1) % ${clients} + 1, ${sql.lit(name)} || n, 'Cliente', 'cliente' || n || '@example.com', 'Asunto', '', '',
        ${sql.lit(status)}, ${at}, ${status === 'sent' ? at : sql`null`}, 'license_issued'
      from ${numbers(count)}`.execute(db);
  await mails(licenses, 'sent', stamp(100), 'm');
  await mails(8000, 'failed', stamp(2), 'f');
  // A second mail took the place of half of them.
  await mails(4000, 'sent', stamp(1), 'r');

  const events = (count: number, type: string, at: ReturnType<typeof stamp>) =>
    sql`insert into events (at, type, actor_kind, actor_name, subject_id, subject_name, client_id, client_name, license_id,
        license_key, software_id, changes)
      select ${at}, ${sql.lit(type)}, 'machine', 'Equipo', n, 'Algo', n % ${clients} + 1, 'Cliente', n % ${all} + 1, 'CLAVE',
        n % 50 + 1, '{"kind":{"before":null,"after":"renewal"}}'
      from ${numbers(count)}`.execute(db);
  await events(licenses * 2, 'installation.activated', stamp(30));
  await events(3000, 'client.requested', stamp(7));
  await events(licenses, 'installation.activated', stamp(3));

  for (let back = 0; back < 10; back += 1) {
    const day = addDays(today, -back);
    await sql`insert into license_checks (license_id, machine_id, call, reason, day, app_version, ip, at, count, last_day)
      select n * 7 + ${sql.lit(back)}, 'maquina-' || n % 3, 'validate',
        case when n % 10 = 0 then 'installation_limit' when n % 10 = 1 then 'expired' else '' end, ${sql.lit(day)}, '1.0',
        '192.0.2.1', ${stamp(back)}, 3, ${sql.lit(day)}
      from ${numbers(Math.floor(licenses / 10))}`.execute(db);
  }

  await sql`insert into payment_requests (reference, code_hash, state, client_id, client_name, currency, subtotal_cents,
      tax_rate_hundredths, tax_cents, amount_cents, note, review_reason, expires_at, actor_kind, actor_name, created_at, updated_at)
    select 'ref' || n, 'hash' || n, case when n % 50 = 0 then 'review' else 'paid' end, n, 'Cliente', 'MXN', 10000, 1600, 1600,
      11600, '', 'amount', ${stamp(-20)}, 'system', 'Sistema', ${stamp(3)}, ${stamp(2)}
    from ${numbers(Math.floor(licenses / 10))}`.execute(db);

  // The nearest ends and the newest failed mails are done already.
  const end = onPostgres
    ? sql`to_char(expiry_date at time zone 'UTC', 'YYYY-MM-DD')`
    : sql`substr(expiry_date, 1, 10)`;
  await sql`insert into today_marks (kind, record, fact, until, marked_at)
    select 'expiring', id, ${end}, null, ${stamp(1)} from licenses where status = 'active' and expiry_date >= ${stamp(0)}
      and license_type <> 'trial' order by expiry_date limit 1000`.execute(db);
  await sql`insert into today_marks (kind, record, fact, until, marked_at)
    select 'mail_failed', id, kind, null, ${stamp(1)} from outbox where status = 'failed' order by id desc limit 1000`.execute(
    db,
  );
}
