import { type Kysely, sql } from 'kysely';

/** Each filter of the licences list in the order of the list, so that a page of it is read without sorting the rest. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const newestFirst = (name: string, column: string) =>
    sql`create index ${sql.id(name)} on licenses (${sql.ref(column)}, created_at desc, id desc)`.execute(db);
  await newestFirst('licenses_by_status_newest', 'status');
  await newestFirst('licenses_by_software_newest', 'software_id');
  // These two say all that the indexes before them said; counts by category are kept.
  await newestFirst('licenses_by_category_newest', 'license_type');
  await sql`drop index licenses_by_category`.execute(db);
  await newestFirst('licenses_by_license_type_newest', 'license_type_id');
  await sql`drop index licenses_by_license_type`.execute(db);
  await sql`create index licenses_by_price on licenses (price_cents, id)`.execute(db);
}
