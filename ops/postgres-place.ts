import { type Kysely, sql } from 'kysely';
import type { Tables } from '../server/db/tables.ts';
import { CopyError } from './copy-error.ts';
import { withClient } from './with-client.ts';

/**
 * The place of an installation in a PostgreSQL database: the schema in which the server works, the first one of its
 * search_path that exists. Other programs may have theirs beside it.
 */

type Ask = <Row extends object>(text: string) => Promise<{ rows: Row[] }>;

/** The first schema of the search_path if it does not exist yet: a restore makes it. */
async function missingSchema(ask: Ask): Promise<string | null> {
  const { rows } = await ask<{ path: string; there: string[] }>(
    "select current_setting('search_path') as path, array(select nspname::text from pg_namespace) as there",
  );
  const { path, there } = rows[0]!;
  const [, quoted, plain] = /^\s*(?:"((?:[^"]|"")+)"|([^",\s]+))/.exec(path) ?? [];
  const first = quoted?.replaceAll('""', '"') ?? plain?.toLowerCase() ?? '$user';
  return first === '$user' || there.includes(first) ? null : first;
}

/**
 * Looks for something to replace: tables that do not belong to an extension.
 * @param schema default: the schema in which the server works after a restore
 * @returns the schema, and whether it has such tables
 */
export const lookInto = (url: string, schema?: string): Promise<{ schema: string; isEmpty: boolean }> =>
  withClient(url, async (client) => {
    const looked = schema ?? (await missingSchema((text) => client.query(text)));
    const { rows } = await client.query<{ schema: string; full: boolean }>(
      `select coalesce($1, current_schema(), 'public') as schema, exists (
        select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p', 'v', 'm') and n.nspname = coalesce($1, current_schema())
          and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')) as full`,
      [looked],
    );
    const { schema: found, full } = rows[0]!;
    return { schema: found, isEmpty: !full };
  });

/** Where an installation is: its schema, and the schema of pg_trgm, by which its indexes name it. */
export type PostgresPlace = { schema: string; trigrams: string };

/** The table in which an installation notes its migrations. */
export const MIGRATIONS = 'kysely_migration';

/**
 * The place of the installation that a backup copies.
 * @throws CopyError if it has no tables of this program: with another search_path the copy would be empty
 */
export const placeToCopy = (url: string): Promise<PostgresPlace> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ schema: string | null; trigrams: string | null; has: boolean }>(`
      select current_schema() as schema,
        (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace
         where e.extname = 'pg_trgm') as trigrams,
        exists (select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = current_schema() and c.relname = '${MIGRATIONS}') as has`);
    const { schema, trigrams, has } = rows[0]!;
    if (schema !== null && has) return { schema, trigrams: trigrams ?? schema };
    // Without a schema the search_path has only names of schemas that do not exist.
    const named = schema === null ? 'uno que no existe' : `«${schema}»`;
    throw new CopyError(
      `No hay tablas de License Manager donde trabaja DATABASE_URL, que es el esquema ${named}.`,
    );
  });

/**
 * @throws CopyError if others are connected, with any role: a server would continue to write into the replaced
 * database
 */
export const refuseWhileInUse = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    // Everybody may see whose connections these are. A worker of PostgreSQL, such as its vacuum, has no role.
    const { rows } = await client.query<{ role: string; n: string }>(`
      select usename as role, count(*) as n from pg_stat_activity
      where datname = current_database() and usename is not null and pid <> pg_backend_pid()
      group by usename order by usename`);
    if (rows.length === 0) return;
    const whose = rows.map(({ role, n }) => `${n} ${n === '1' ? 'conexión' : 'conexiones'} de ${role}`);
    throw new CopyError(
      `La base de datos de DATABASE_URL está en uso (${whose.join(', ')}). ` +
        'Detén todas las réplicas, y el pooler si hay uno, y repite; o restaura en una base de datos nueva.',
    );
  });

/** Statements that drop all objects of the schema except those of extensions, in a possible order. */
const DROPS = `
  select statement from (
    select 1 as step, format('drop %s if exists %s cascade',
      case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
        when 'f' then 'foreign table' else 'table' end, c.oid::regclass) as statement,
      c.relkind = 'S' as late
    from pg_class c where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and c.relnamespace = quote_ident(current_schema())::regnamespace
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype in ('e', 'i'))
    union all
    select 2, format('drop routine if exists %s cascade', p.oid::regprocedure), false
    from pg_proc p where p.pronamespace = quote_ident(current_schema())::regnamespace
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    select 3, format('drop type if exists %s cascade', t.oid::regtype), false
    from pg_type t where t.typnamespace = quote_ident(current_schema())::regnamespace and t.typtype in ('e', 'd')
      and not exists (select 1 from pg_depend d where d.objid = t.oid and d.deptype = 'e')
    union all
    select 4, format('drop collation if exists %I.%I cascade', n.nspname, l.collname), false
    from pg_collation l join pg_namespace n on n.oid = l.collnamespace where n.nspname = current_schema()
      and not exists (select 1 from pg_depend d where d.objid = l.oid and d.deptype = 'e')
  ) as drops order by step, late`;

/**
 * Makes the schema for a restore if it is missing, within a transaction.
 * @param replace drops all objects of the schema except those of extensions
 */
export async function prepareSchema(tx: Kysely<Tables>, replace: boolean): Promise<void> {
  const missing = await missingSchema((text) => sql.raw<never>(text).execute(tx));
  if (missing !== null) await sql`create schema ${sql.id(missing)}`.execute(tx);
  if (!replace) return;
  const { rows } = await sql.raw<{ statement: string }>(DROPS).execute(tx);
  for (const { statement } of rows) await sql.raw(statement).execute(tx);
}
