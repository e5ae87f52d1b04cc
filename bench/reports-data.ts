import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../server/db/dialect.ts';
import type { Tables } from '../server/db/tables.ts';
import { type Size, seed } from './seed.ts';

/**
 * Fills an empty database for the measurement of the reports: the rows of the benchmark, and for each licence a
 * renewal at a moment between its issue and now, so that it has two terms. Every tenth licence is in dollars; clients
 * are from seven countries. For each term the client was asked and paid, so that there are as many payments; one in
 * forty is still to be paid, and one in a hundred went back ten days later (MONEY-04).
 */
export async function seedReports(db: Kysely<Tables>, size: Size, now: Date): Promise<void> {
  await seed(db, size, now);
  const countries = ['México', 'Argentina', 'Colombia', 'Chile', 'Perú', 'Uruguay', 'España'];
  await sql`update clients set country = case id % 7 ${sql.join(
    countries.map((country, index) => sql`when ${sql.lit(index)} then ${sql.lit(country)}`),
    sql` `,
  )} end`.execute(db);
  await sql`update licenses set currency = 'USD' where id % 10 = 0`.execute(db);
  await sql`update license_terms set currency = 'USD' where license_id % 10 = 0`.execute(db);
  // `sold` is the moment of the renewal, `ends` a year after it.
  const part = sql`((id * 37) % 97) / 97.0`;
  const nowText = sql.lit(now.toISOString());
  const sold = isPostgres(db)
    ? sql`date_trunc('milliseconds', issued_date + (${nowText}::timestamptz - issued_date) * ${part})`
    : sql`strftime('%Y-%m-%dT%H:%M:%fZ', julianday(issued_date) + (julianday(${nowText}) - julianday(issued_date)) * ${part})`;
  const ends = isPostgres(db)
    ? sql`expiry_date + interval '365 days'`
    : sql`strftime('%Y-%m-%dT%H:%M:%fZ', expiry_date, '+365 days')`;
  await sql`insert into license_terms
      (license_id, kind, license_type_id, starts, ends, price_cents, currency, promotion_name, created_at, software_id,
        is_counted)
    select id, case when id % 5 = 0 then 'upgrade' else 'renewal' end, license_type_id, expiry_date, ${ends}, price_cents,
      currency, promotion_name, ${sold}, software_id, true
    from licenses order by id`.execute(db);
  // Two thirds of the licences end when their renewal does. Some of the others were cancelled in the past.
  await sql`update licenses set expiry_date = ${ends}, updated_at = ${sold} where id % 3 <> 0`.execute(db);
  await sql`update licenses set status = 'cancelled', updated_at = ${sold} where id % 24 = 0`.execute(db);
  await seedPayments(db, now);
}

async function seedPayments(db: Kysely<Tables>, now: Date): Promise<void> {
  const soon = sql.lit(new Date(now.getTime() + 20 * 24 * 3_600_000).toISOString());
  const refunded = isPostgres(db)
    ? sql`terms.created_at + interval '10 days'`
    : sql`strftime('%Y-%m-%dT%H:%M:%fZ', terms.created_at, '+10 days')`;
  const [yes, no] = isPostgres(db) ? [sql`true`, sql`false`] : [sql`1`, sql`0`];
  const isOpen = sql`terms.id % 40 = 0`;
  const gross = sql`terms.price_cents + terms.price_cents * 16 / 100`;
  const terms = sql`license_terms as terms join licenses on licenses.id = terms.license_id`;
  const withIds = isPostgres(db) ? sql`overriding system value` : sql``;
  await sql`insert into payment_requests (id, reference, code_hash, state, client_id, client_name, currency, subtotal_cents,
      tax_rate_hundredths, tax_cents, amount_cents, note, expires_at, paid_at, applied_at, actor_kind, actor_name, created_at,
      updated_at) ${withIds}
    select terms.id, 'r' || terms.id, 'c' || terms.id, case when ${isOpen} then 'open' else 'paid' end, licenses.client_id,
      'Cliente', terms.currency, terms.price_cents, 1600, terms.price_cents * 16 / 100, ${gross}, '', ${soon},
      case when ${isOpen} then null else terms.created_at end, case when ${isOpen} then null else terms.created_at end,
      'system', '', terms.created_at, terms.created_at
    from ${terms} order by terms.id`.execute(db);
  // Rows that get their ids from PostgreSQL go on from here.
  if (isPostgres(db))
    await sql`select setval(pg_get_serial_sequence('payment_requests', 'id'), max(id)) from payment_requests`.execute(
      db,
    );
  await sql`insert into payment_lines (request_id, position, license_id, license_key, kind, description, days, price_cents,
      promotion_name, promotion_description)
    select terms.id, 0, terms.license_id, licenses.license_key, 'renewal', 'Renovación', 365, terms.price_cents, '', ''
    from ${terms} order by terms.id`.execute(db);
  await sql`insert into payments (provider, source, provider_id, request_id, client_id, client_name, state, amount_cents,
      refunded_cents, currency, method, reference, is_test, created_at, paid_at, updated_at)
    select 'mercado_pago', 'p' || terms.id, 'p' || terms.id, terms.id, licenses.client_id, 'Cliente',
      case when terms.id % 100 = 1 then 'refunded' else 'approved' end, ${gross},
      case when terms.id % 100 = 1 then ${gross} else 0 end, terms.currency, 'card', '', ${no}, terms.created_at,
      terms.created_at, case when terms.id % 100 = 1 then ${refunded} else terms.created_at end
    from ${terms} where terms.price_cents > 0 and (not (${isOpen})) = ${yes} order by terms.id`.execute(db);
}
