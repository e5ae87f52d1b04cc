import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../server/db/dialect.ts';
import type { Tables } from '../server/db/tables.ts';

/**
 * Payments of three years, added to the rows of a seeded database: two of each licence, each of a request of its own.
 * One in twenty is noted by hand with a reference, one in ten requests is open, one payment in fifty refunded, one in
 * ten in another currency.
 */
export async function insertRequestRows(db: Kysely<Tables>, licenses: number, now: Date): Promise<void> {
  const onPostgres = isPostgres(db);
  const instant = (text: string) => (onPostgres ? sql`${sql.lit(text)}::timestamptz` : sql`${sql.lit(text)}`);
  const daysAgo = (days: number) => instant(new Date(now.getTime() - days * 86_400_000).toISOString());
  const clients = sql.lit(licenses / 5);
  const all = sql.lit(licenses);
  const total = licenses * 2;
  const step = 100_000;
  /** The instant of the n-th payment of all. */
  const at = onPostgres
    ? sql`(${daysAgo(1095)} + (n * 1095.0 / ${sql.lit(total)}) * interval '1 day')`
    : sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${daysAgo(1095)}, (n * 1095.0 / ${sql.lit(total)}) || ' days')`;
  for (let from = 0; from < total; from += step) {
    const numbers = sql`(with recursive numbers (n) as (select ${sql.lit(from + 1)} union all
      select n + 1 from numbers where n < ${sql.lit(Math.min(total, from + step))}) select n from numbers) as numbers`;
    const currency = sql`case when n % 10 = 3 then 'USD' else 'MXN' end`;
    const client = sql`(n % ${all}) % ${clients} + 1`;
    await sql`insert into payment_requests (reference, code_hash, state, client_id, client_name, currency, subtotal_cents,
        tax_rate_hundredths, tax_cents, amount_cents, note, expires_at, paid_at, actor_kind, actor_name, created_at, updated_at)
      select 'bench' || n, 'bench' || n, case when n % 10 = 0 then 'open' when n % 10 = 1 then 'expired' else 'paid' end,
        ${client}, 'Cliente', ${currency}, 10000 + n % 5000, 0, 0, 10000 + n % 5000, '', ${daysAgo(-20)}, ${at}, 'user', 'Ana',
        ${at}, ${at}
      from ${numbers}`.execute(db);
    await sql`insert into payment_lines (request_id, position, license_id, license_key, kind, description, days, price_cents)
      select requests.id, 0, n % ${all} + 1, 'CLAVE', 'renewal', 'Renovación', 365, 10000
      from ${numbers} join payment_requests as requests on requests.reference = 'bench' || n`.execute(db);
    await sql`insert into payments (provider, source, request_id, client_id, client_name, state, amount_cents, refunded_cents,
        currency, method, reference, search_text, is_test, created_at, paid_at, updated_at)
      select case when n % 20 = 5 then 'manual' else 'stripe' end, 'bench' || n, requests.id, ${client}, 'Cliente',
        case when n % 50 = 7 then 'refunded' else 'approved' end, 10000 + n % 5000, 0, ${currency}, 'transfer',
        case when n % 20 = 5 then 'SPEI ' || n else '' end, case when n % 20 = 5 then 'spei ' || n else '' end,
        ${onPostgres ? sql`false` : sql`0`}, ${at}, ${at}, ${at}
      from ${numbers} join payment_requests as requests on requests.reference = 'bench' || n`.execute(db);
  }
}
