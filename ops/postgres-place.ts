import { type Kysely, sql } from 'kysely';
import type { Tables } from '../server/db/tables.ts';
import { CopyError } from './copy-error.ts';
import { withClient } from './with-client.ts';

/** The PostgreSQL database that a restore fills: whether it has data, and whether it is in use. */

/** True if the database has a table that does not belong to an extension. */
export const holdsTables = (url: string): Promise<boolean> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ tables: string }>(`
      select count(*) as tables from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm') and n.nspname not in ('pg_catalog', 'information_schema')
        and n.nspname not like 'pg_toast%'
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')`);
    return Number(rows[0]?.tables) > 0;
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
    from pg_class c where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and c.relnamespace = current_schema()::regnamespace
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype in ('e', 'i'))
    union all
    select 2, format('drop routine if exists %s cascade', p.oid::regprocedure), false
    from pg_proc p where p.pronamespace = current_schema()::regnamespace
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    select 3, format('drop type if exists %s cascade', t.oid::regtype), false
    from pg_type t where t.typnamespace = current_schema()::regnamespace and t.typtype in ('e', 'd')
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
