import { type Kysely, sql } from 'kysely';
import { textOrder } from '../../../contract/text.ts';
import { columnTypes } from '../dialect.ts';

const BATCH = 500;

/** Names and companies in the form in which they are put in order; lists of clients by either are read from an index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addOrder(db, 'clients', 'name');
  await addOrder(db, 'clients', 'company');
  await addOrder(db, 'software', 'name');
  await addOrder(db, 'license_types', 'name');
  await sql`create index clients_by_name on clients (name_order, id)`.execute(db);
  await sql`create index clients_by_company on clients (company_order, id)`.execute(db);
}

async function addOrder(db: Kysely<unknown>, table: string, column: 'name' | 'company'): Promise<void> {
  const { integer, text, orderedText } = columnTypes(db);
  const on = sql.table(table);
  const order = sql.ref(`${column}_order`);
  await sql`alter table ${on} add column ${order} ${orderedText} not null default ''`.execute(db);
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number; value: string }>`
      select id, ${sql.ref(column)} as value from ${on} where id > ${after} order by id limit ${BATCH}`.execute(
      db,
    );
    const last = rows.at(-1);
    if (!last) return;
    const values = rows.map(
      ({ id, value }) => sql`(cast(${id} as ${integer}), cast(${textOrder(value)} as ${text}))`,
    );
    await sql`update ${on} set ${order} = given.column2
      from (values ${sql.join(values)}) as given where ${on}.id = given.column1`.execute(db);
    after = last.id;
  }
}
