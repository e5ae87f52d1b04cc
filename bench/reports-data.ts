import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../server/db/dialect.ts';
import type { Tables } from '../server/db/tables.ts';
import { type Size, seed } from './seed.ts';

/**
 * Fills an empty database for the measurement of the reports: the rows of the benchmark, and for each licence a
 * renewal at a moment between its issue and now, so that it has two terms. Every tenth licence is in dollars; clients
 * are from seven countries.
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
}
