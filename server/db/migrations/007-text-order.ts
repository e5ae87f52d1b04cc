import { type Kysely, sql } from 'kysely';
import { textOrder } from '../../../contract/text.ts';
import { columnTypes, givenTexts } from '../dialect.ts';

const BATCH = 1000;

/** Names and companies in the form in which they are put in order; lists of clients by either are read from an index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addOrder(db, 'clients', ['name', 'company']);
  await addOrder(db, 'software', ['name']);
  await addOrder(db, 'license_types', ['name']);
  await sql`create index clients_by_name on clients (name_order, id)`.execute(db);
  await sql`create index clients_by_company on clients (company_order, id)`.execute(db);
}

/** For each column one that orders by it, filled for all rows that there are; each row is written once. */
async function addOrder(db: Kysely<unknown>, table: string, columns: ('name' | 'company')[]): Promise<void> {
  const on = sql.table(table);
  const orders = columns.map((column) => `${column}_order`);
  for (const order of orders) {
    await sql`alter table ${on} add column ${sql.ref(order)} ${columnTypes(db).orderedText} not null default ''`.execute(
      db,
    );
  }
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number; name: string; company?: string }>`
      select id, ${sql.join(columns.map((column) => sql.ref(column)))} from ${on}
      where id > ${after} order by id limit ${BATCH}`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    const given = rows.map((row) => ({
      id: row.id,
      ...Object.fromEntries(columns.map((column) => [`${column}_order`, textOrder(row[column] ?? '')])),
    }));
    const set = orders.map((order) => sql`${sql.ref(order)} = ${sql.ref(`given.${order}`)}`);
    await sql`update ${on} set ${sql.join(set)} from ${givenTexts(db, given, orders)} as given
      where ${on}.id = given.id`.execute(db);
    after = last.id;
  }
}
