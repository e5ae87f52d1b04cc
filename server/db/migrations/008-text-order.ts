import { type Kysely, type RawBuilder, sql } from 'kysely';

/** Names and companies in the form in which they are put in order; lists of clients by either are read from an index. */
export async function up(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  await addOrder(db, engine, 'clients', ['name', 'company']);
  await addOrder(db, engine, 'software', ['name']);
  await addOrder(db, engine, 'license_types', ['name']);
  await sql`create index clients_by_name on clients (name_order, id)`.execute(db);
  await sql`create index clients_by_company on clients (company_order, id)`.execute(db);
}

const BATCH = 1000;

type Text = { id: number; name: string; company?: string };

/** For each column one that orders by it, filled for all rows that there are; each row is written once. */
async function addOrder(
  db: Kysely<unknown>,
  engine: 'sqlite' | 'postgres',
  table: string,
  columns: ('name' | 'company')[],
): Promise<void> {
  const on = sql.table(table);
  // Compared letter by letter on both engines, whatever locale the database was made with.
  const type = engine === 'postgres' ? sql`text collate "C"` : sql`text`;
  for (const column of columns) {
    await sql`alter table ${on} add column ${sql.ref(`${column}_order`)} ${type} not null default ''`.execute(
      db,
    );
  }
  for (let after = 0; ; ) {
    const { rows } =
      await sql<Text>`select id, ${sql.join(columns.map((column) => sql.ref(column)))} from ${on}
      where id > ${after} order by id limit ${BATCH}`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    const orders = rows.map((row) => ({ id: row.id, ...ordersOf(row, columns) }));
    const set = columns.map((column) => sql`${sql.ref(`${column}_order`)} = ${sql.ref(`given.${column}`)}`);
    await sql`update ${on} set ${sql.join(set)} from ${given(engine, orders, columns)} as given
      where ${on}.id = given.id`.execute(db);
    after = last.id;
  }
}

const ordersOf = (row: Text, columns: ('name' | 'company')[]) =>
  Object.fromEntries(columns.map((column) => [column, orderOf(row[column] ?? '')]));

/** Neither case nor accents make a difference; ñ comes after n, since `~` comes after all of a to z. */
const orderOf = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/ñ/gi, 'n~')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();

/** Rows as a table that a statement may read from; one parameter, however many they are. */
function given(
  engine: 'sqlite' | 'postgres',
  rows: { id: number }[],
  columns: string[],
): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  const texts = columns.map((column) => sql`each.value ->> ${sql.lit(column)} as ${sql.ref(column)}`);
  return engine === 'postgres'
    ? sql`(select cast(each.value ->> 'id' as bigint) as id, ${sql.join(texts)}
        from json_array_elements(cast(${json} as json)) as each (value))`
    : sql`(select cast(each.value ->> 'id' as integer) as id, ${sql.join(texts)} from json_each(${json}) as each)`;
}
