import { parseArgs } from 'node:util';
import type pg from 'pg';
import { LICENSE_KEY_ALPHABET } from '../contract/reading/license-keys.ts';
import { foldCode } from '../contract/reading/search-folding.ts';
import { withClient } from '../ops/with-client.ts';
import { keyOf } from './seed.ts';

/**
 * node bench/large.ts --from postgres://…/grown --to large --times 10
 *
 * Creates a database with a multiple of the rows of a grown one (bench/grown.ts), within minutes. It copies that
 * database and inserts its rows again with other ids. Triggers are switched off, and the tables that they fill are
 * copied too. A million licences take 3 GB. Then `npm run bench -- --grown --database-url … --database-url …` prints
 * how each call grows.
 */

const { values } = parseArgs({
  options: { from: { type: 'string' }, to: { type: 'string' }, times: { type: 'string', default: '10' } },
});
const times = Number(values.times);
if (values.from === undefined || values.to === undefined || !(times >= 2)) {
  console.error('node bench/large.ts --from <address> --to <name> --times <2 or more>');
  process.exit(2);
}
const source = new URL(values.from);
const target = new URL(source);
target.pathname = `/${values.to}`;
const admin = new URL(source);
admin.pathname = '/postgres';

/** Tables whose rows grow with use, referenced tables first, and their columns with ids. */
const TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  clients: { id: 'clients' },
  licenses: { id: 'licenses', client_id: 'clients' },
  license_terms: { id: 'license_terms', license_id: 'licenses' },
  license_spans: { id: 'license_spans', license_id: 'licenses' },
  license_trials: { license_id: 'licenses' },
  license_expiries: { license_id: 'licenses' },
  license_last_signals: { license_id: 'licenses' },
  full_licenses: { id: 'full_licenses', license_id: 'licenses' },
  licenses_of_clients: { client_id: 'clients' },
  installations: { id: 'installations', license_id: 'licenses' },
  events: { id: 'events', client_id: 'clients', license_id: 'licenses' },
};

/**
 * Values that must be unique in each copy of a row: email addresses, and licence keys, which begin with the licence's
 * number.
 */
const letters = LICENSE_KEY_ALPHABET;
const keyFrom = (id: string, key: string) => {
  const letter = (place: number) => `substr('${letters}', (((${id}) >> ${5 * place}) & 31)::int + 1, 1)`;
  return `${[4, 3, 2, 1, 0].map(letter).join(' || ')} || substr(${key}, 6)`;
};
const OTHERWISE: Readonly<Record<string, Readonly<Record<string, (id: string) => string>>>> = {
  clients: {
    email: (id) => `'c' || (${id}) || '.' || email`,
    email_key: (id) => `'c' || (${id}) || '.' || email_key`,
  },
  licenses: {
    license_key: (id) => keyFrom(id, 'license_key'),
    search_text: (id) => `lower(replace(${keyFrom(id, 'license_key')}, '-', ''))`,
  },
};

/**
 * Inserts the copies with one statement, ordered as they would grow: all rows of one copy after those of the previous
 * one.
 */
async function copyRows(
  client: pg.Client,
  table: string,
  highest: ReadonlyMap<string, number>,
): Promise<void> {
  const { rows } = await client.query<{ column_name: string }>(
    `select column_name from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  );
  const columns = rows.map(({ column_name }) => column_name);
  const ids = TABLES[table]!;
  const valueIn = (column: string) => {
    const refers = ids[column];
    const id = (name: string, of: string) => `"${name}" + copy.nth * ${highest.get(of)}`;
    if (refers !== undefined) return id(column, refers);
    return OTHERWISE[table]?.[column]?.(id('id', table)) ?? `"${column}"`;
  };
  const names = columns.map((column) => `"${column}"`).join(', ');
  for (let n = 1; n < times; n += 1) {
    await inSeconds(`${table}, copy ${n}`, () =>
      client.query(
        `insert into ${table} (${names}) overriding system value
          select ${columns.map(valueIn).join(', ')} from ${table} as original, (values (${n})) as copy (nth)
          where ${Object.entries(ids)
            .map(([column, refers]) => `("${column}" is null or "${column}" <= ${highest.get(refers)})`)
            .join(' and ')}`,
      ),
    );
  }
}

/**
 * Takes the indexes of a table away, apart from those of its keys: made anew after all rows are in, they take a quarter of
 * the time.
 * @returns the statements that make them
 */
async function dropIndexes(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; made: string }>(
    `select index.indexrelid::regclass::text as name, pg_get_indexdef(index.indexrelid) as made
      from pg_index as index where index.indrelid = $1::regclass and not index.indisprimary
        and not exists (select 1 from pg_constraint where conindid = index.indexrelid)`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ made }) => made);
}

async function inSeconds(what: string, work: () => Promise<unknown>): Promise<void> {
  const from = performance.now();
  await work();
  console.log(`${what} in ${((performance.now() - from) / 1000).toFixed(0)} s`);
}

await withClient(admin.toString(), (client) =>
  client.query(`create database ${values.to} template ${source.pathname.slice(1)}`),
);
await withClient(target.toString(), async (client) => {
  // Switches off triggers and foreign keys, which would run for each row. The rows that triggers create are copied.
  await client.query(
    `set session_replication_role = replica; set statement_timeout = 0; set synchronous_commit = off;
      set maintenance_work_mem = '1GB'`,
  );
  const highest = new Map<string, number>();
  for (const table of Object.keys(TABLES)) {
    const { rows } = TABLES[table]!.id
      ? await client.query<{ most: string | null }>(`select max(id) as most from ${table}`)
      : { rows: [{ most: null }] };
    highest.set(table, Number(rows[0]!.most ?? 0));
  }
  for (const table of Object.keys(TABLES)) {
    const indexes = await dropIndexes(client, table);
    await copyRows(client, table, highest);
    await inSeconds(`${table}, ${indexes.length} indexes`, async () => {
      for (const index of indexes) await client.query(index);
    });
  }
  await client.query('update row_counts set n = n * $1', [times]);
  await client.query('update day_sums set n = n * $1, cents = cents * $1', [times]);
  await client.query('update day_state set kept = kept * $1, watched = watched * $1', [times]);
  await client.query('delete from report_figures');
  for (const [table, most] of highest) {
    if (most > 0)
      await client.query(`select setval(pg_get_serial_sequence($1, 'id'), $2)`, [table, most * times]);
  }
  // Gives these licences the keys that the bench uses.
  const licenses = highest.get('licenses')! * times;
  for (let number = licenses - 1; number > licenses - 2000; number -= 1) {
    const key = keyOf(number);
    await client.query('update licenses set license_key = $1, search_text = $2 where id = $3', [
      key,
      foldCode(key),
      number + 1,
    ]);
  }
  await client.query('vacuum analyze');
});
console.log(target.toString());
