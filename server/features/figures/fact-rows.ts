import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { foundById, instant, utcDay } from '../../db/dialect.ts';
import type { DaySource, Db } from '../../db/tables.ts';
import { centsOf, DAY_FACTS, factsOf, NEVER } from './day-facts.ts';

/**
 * The statements that read the facts of a table's rows, each with its day and amount, as `day_sums` keeps them.
 * @param among which rows of the table, called `facts` there
 */
export const factRows = (db: Db, source: DaySource, among: RawBuilder<SqlBool>): RawBuilder<unknown>[] =>
  factsOf(source).map((name) => {
    const { at, holds, ...more } = DAY_FACTS[name];
    const column = sql.ref(`facts.${at}`);
    const when = 'hasEndless' in more ? sql`coalesce(${column}, ${instant(db, NEVER)})` : column;
    return sql`select ${sql.lit(name)} as fact, facts.software_id, ${utcDay(db, when)} as day, facts.currency,
        1 as n, ${centsOf(name)} as cents
      from ${foundById(db, source, 'facts')} where ${among} and ${holds}`;
  });
