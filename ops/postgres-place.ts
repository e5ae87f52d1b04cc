import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Tables } from '../server/db/tables.ts';
import { CopyError } from './copy-error.ts';
import { type DumpContent, MIGRATIONS } from './dump-content.ts';
import type { PlaceForDump } from './postgres-programs.ts';
import { withClient } from './with-client.ts';

/**
 * The place of an installation in a PostgreSQL database: the schema in which the server works, the first one of its
 * search_path that exists. Other programs may have theirs beside it.
 */

/**
 * Whether there is something to replace: a table that does not belong to an extension.
 * @param schema default: the schema in which the server works
 * @returns the schema; null if it is empty
 */
export const schemaWithTables = (url: string, schema?: string): Promise<string | null> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ schema: string }>(
      `select n.nspname as schema from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm') and n.nspname = coalesce($1, current_schema())
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      limit 1`,
      [schema],
    );
    return rows[0]?.schema ?? null;
  });

/** A schema in a message. Without one the search_path has only names of schemas that do not exist. */
const named = (schema: string | null): string => (schema === null ? 'uno que no existe' : `«${schema}»`);

/**
 * The schema that a backup copies.
 * @throws CopyError if it has no tables of this program: with another search_path the copy would be empty
 */
export const schemaToCopy = (url: string): Promise<string> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ schema: string | null; has: boolean }>(`
      select current_schema() as schema, exists (
        select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and c.relname = '${MIGRATIONS}') as has`);
    const { schema, has } = rows[0]!;
    if (schema !== null && has) return schema;
    throw new CopyError(
      `No hay tablas de License Manager donde trabaja DATABASE_URL, que es el esquema ${named(schema)}.`,
    );
  });

/**
 * Finds the place for a dump, and changes nothing.
 * @returns also the statements that make what the dump needs and does not bring
 * @throws CopyError if the server would not find the dump's tables there, or if the extension is in another schema
 */
export const placeForDump = (url: string, { schemas, trigrams }: DumpContent): Promise<PlaceForDump> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ schema: string | null; there: string[]; trigrams: string | null }>(
      `select current_schema() as schema,
        (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace
         where e.extname = 'pg_trgm') as trigrams,
        array(select nspname::text from pg_namespace where nspname = any($1)) as there`,
      [[...schemas, trigrams]],
    );
    const found = rows[0]!;
    const isThere = (schema: string) => found.there.includes(schema);
    const missing = schemas.filter((schema) => !isThere(schema));
    const schema =
      schemas.find((one) => one === found.schema) ?? (await firstInWhich(client, missing, worksIn));
    if (schema === null) {
      const [first = ''] = schemas;
      throw new CopyError(
        `La copia tiene sus tablas en el esquema ${named(first)}, y DATABASE_URL trabaja en ${named(found.schema)}. ` +
          `Crea ${named(first)} si falta y ponlo al principio de su search_path, o restaura en otra base de datos.`,
      );
    }
    if (found.trigrams !== null && found.trigrams !== trigrams) {
      throw new CopyError(
        `La extensión pg_trgm está en el esquema ${named(found.trigrams)}, y la copia la usa en ${named(trigrams)}. ` +
          `Como su dueño: alter extension pg_trgm set schema ${pg.escapeIdentifier(trigrams)};`,
      );
    }
    const needed = found.trigrams === null ? [...new Set([schema, trigrams])] : [schema];
    const statements = needed
      .filter((one) => !isThere(one))
      .map((one) => `create schema ${pg.escapeIdentifier(one)}`);
    if (found.trigrams === null) {
      statements.push(`create extension pg_trgm with schema ${pg.escapeIdentifier(trigrams)}`);
    }
    return { schema, statements };
  });

/** The first of some schemas for which a question is answered with yes. */
async function firstInWhich(
  client: pg.Client,
  schemas: string[],
  ask: (client: pg.Client, schema: string) => Promise<boolean>,
): Promise<string | null> {
  for (const schema of schemas) if (await ask(client, schema)) return schema;
  return null;
}

/** The code of PostgreSQL for a missing right. */
const NOT_ALLOWED = '42501';

/** Whether the server would work in a schema that does not exist yet. It is made for the answer, and rolled back. */
async function worksIn(client: pg.Client, schema: string): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query(`create schema ${pg.escapeIdentifier(schema)}`);
    const { rows } = await client.query<{ schema: string | null }>('select current_schema() as schema');
    return rows[0]?.schema === schema;
  } catch (error) {
    if ((error as { code?: unknown }).code === NOT_ALLOWED) return false;
    throw error;
  } finally {
    await client.query('rollback');
  }
}

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

/** Drops all objects of the schema except those of extensions, within a transaction. */
export async function dropEverything(tx: Kysely<Tables>): Promise<void> {
  const { rows } = await sql.raw<{ statement: string }>(DROPS).execute(tx);
  for (const { statement } of rows) await sql.raw(statement).execute(tx);
}

/** The statements of {@link dropEverything}, for a program that runs them in its own transaction. */
export const statementsThatDropEverything = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ statement: string }>(DROPS);
    return rows.map(({ statement }) => statement);
  });
