import { sql } from 'kysely';
import { lockTables } from '../../db/diagnosis.ts';
import type { Db } from '../../db/tables.ts';

/**
 * Compares the counters that triggers and functions maintain with the rows themselves, and corrects them (OPS-01).
 * Each function reads whole tables.
 */

/** The correct stored counts: table_name, status, kind, n. */
const COUNTS = sql`
  select 'clients' as table_name, coalesce(status, '') as status, coalesce(client_type, '') as kind, count(*) as n
    from clients group by 2, 3
  union all select 'licenses', coalesce(status, ''), coalesce(license_type, ''), count(*) from licenses group by 2, 3
  union all select 'licenses_by_software', '', coalesce(cast(software_id as text), ''), count(*) from licenses group by 3
  union all select 'licenses_by_type', '', coalesce(cast(license_type_id as text), ''), count(*) from licenses group by 3
  union all select 'installations', '', '', count(*) from installations having count(*) > 0`;

const SEATS = sql`select license_id, count(*) as n from installations group by license_id`;

const IS_FULL = sql`licenses.current_installations >= licenses.max_installations`;

const countOf = async (db: Db, statement: ReturnType<typeof sql<{ n: number }>>): Promise<number> =>
  (await statement.execute(db)).rows[0]!.n;

/** The number of stored counts that differ from the rows: those of lists, and those of licences by client. */
export async function wrongCounts(db: Db): Promise<number> {
  const ofLists = await countOf(
    db,
    sql<{ n: number }>`
      select count(*) as n from (
        select 1 from (
          select table_name, status, kind, n from row_counts
          union all select table_name, status, kind, -n from (${COUNTS}) as there
        ) as both_sides group by table_name, status, kind having sum(n) <> 0
      ) as wrong`,
  );
  const ofClients = await countOf(
    db,
    sql<{ n: number }>`
      select count(*) as n from clients
        left join licenses_of_clients as kept on kept.client_id = clients.id
        left join (select client_id, count(*) as n from licenses group by client_id) as there
          on there.client_id = clients.id
      where kept.n is null or kept.n <> coalesce(there.n, 0)`,
  );
  return ofLists + ofClients;
}

/** Recomputes the counts, in one transaction during which nobody else writes. */
export async function mendCounts(tx: Db): Promise<void> {
  await lockTables(tx, ['clients', 'licenses', 'installations']);
  await sql`delete from row_counts`.execute(tx);
  await sql`insert into row_counts (table_name, status, kind, slot, n)
    select table_name, status, kind, 0, n from (${COUNTS}) as there`.execute(tx);
  await sql`delete from licenses_of_clients`.execute(tx);
  await sql`insert into licenses_of_clients (client_id, n)
    select clients.id, (select count(*) from licenses where licenses.client_id = clients.id) from clients`.execute(
    tx,
  );
}

/**
 * The number of licences whose counter differs from their number of installations, or that are wrongly in (or missing
 * from) `full_licenses`.
 */
export async function wrongSeats(db: Db): Promise<number> {
  const counters = await countOf(
    db,
    sql<{ n: number }>`
      select count(*) as n from licenses left join (${SEATS}) as there on there.license_id = licenses.id
      where licenses.current_installations <> coalesce(there.n, 0)`,
  );
  const full = await countOf(
    db,
    sql<{ n: number }>`
      select count(*) as n from licenses left join full_licenses as listed on listed.license_id = licenses.id
      where (${IS_FULL}) <> (listed.license_id is not null)`,
  );
  return counters + full;
}

export async function mendSeats(tx: Db): Promise<void> {
  await lockTables(tx, ['clients', 'licenses', 'installations']);
  // Must come first, because the triggers of the next statement add licences that become full.
  await sql`delete from full_licenses where not exists
    (select 1 from licenses where licenses.id = full_licenses.license_id and ${IS_FULL})`.execute(tx);
  await sql`update licenses set current_installations =
      (select count(*) from installations where installations.license_id = licenses.id)
    where current_installations <>
      (select count(*) from installations where installations.license_id = licenses.id)`.execute(tx);
  await sql`delete from full_licenses where not exists
    (select 1 from licenses where licenses.id = full_licenses.license_id and ${IS_FULL})`.execute(tx);
  await sql`insert into full_licenses (license_id, status, expiry_date)
    select id, status, expiry_date from licenses where ${IS_FULL}
      and not exists (select 1 from full_licenses where full_licenses.license_id = licenses.id)`.execute(tx);
}
