import { type RawBuilder, sql } from 'kysely';
import { CURRENCIES, type Currency } from '../../../contract/money.ts';
import { foundById, instant } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { DAY_FACTS, type FactName, NEVER } from './day-facts.ts';
import type { Period } from './periods.ts';

/**
 * Reads the sums by day (docs/decisions/051-sums-by-day.md). The answer is that of this moment: the sums of whole days, the changes since,
 * the rows that came since, and for the parts of days at both ends of a period the rows themselves. It is one
 * statement, so that all of these are of one moment.
 */

/** A fact in one currency: how often, and the sum of the prices in minor units. */
export type FactSum = { fact: FactName; currency: Currency; n: number; cents: number };

export type FactFilters = { software?: number | null; currency?: Currency | null };

/** More new rows than this are not read one by one: the sums are not made yet. */
const NEW_ROWS_MAX = 50_000;
const DAY_MS = 24 * 60 * 60 * 1000;

const isForEver = ({ since, until }: Period) => since <= NEVER && until > NEVER;

type Piece = Period & { index: number };
type Whole = Piece & { first: string; after: string };

/** The whole days of UTC within a period, and what is left of it on both sides. */
function split({ since, until }: Period, index: number): { whole: Whole | undefined; edges: Piece[] } {
  const first = new Date(Math.ceil(Date.parse(since) / DAY_MS) * DAY_MS).toISOString();
  const after = new Date(Math.floor(Date.parse(until) / DAY_MS) * DAY_MS).toISOString();
  if (first >= after) return { whole: undefined, edges: [{ index, since, until }] };
  const days = { first: first.slice(0, 10), after: after.slice(0, 10) };
  return {
    whole: { index, since: first, until: after, ...days },
    edges: [
      { index, since, until: first },
      { index, since: after, until },
    ].filter((edge) => edge.since < edge.until),
  };
}

/** Whether the sums are made but for the rows that came lately. */
async function hasSums(db: Db): Promise<boolean> {
  const { rows } = await sql<{ behind: number }>`
    select source, case source
      when 'licenses' then coalesce((select max(id) from licenses), 0)
      when 'license_terms' then coalesce((select max(id) from license_terms), 0)
      else coalesce((select max(id) from license_spans), 0) end - kept as behind
    from day_state`.execute(db);
  return rows.every(({ behind }) => behind <= NEW_ROWS_MAX);
}

/**
 * Sums facts over periods.
 * @returns for each period its sums by fact and currency; those of nothing are left out
 */
export async function sumFacts(
  db: Db,
  facts: FactName[],
  periods: Period[],
  { software = null, currency = null }: FactFilters,
): Promise<FactSum[][]> {
  const isMade = await hasSums(db);
  const pieces = periods.map((period, index) =>
    isMade ? split(period, index) : { whole: undefined, edges: [{ ...period, index }] },
  );
  const wholes = pieces.flatMap(({ whole }) => whole ?? []);
  const edges = pieces.flatMap((piece) => piece.edges);
  const currencies = currency === null ? [...CURRENCIES] : [currency];
  const isOf = sql`facts.currency in (${sql.join(currencies)})`;
  const ofSoftware = software === null ? sql`` : sql`and coalesce(facts.software_id, 0) = ${software}`;
  const parts: RawBuilder<unknown>[] = [];
  if (wholes.length > 0) {
    parts.push(
      sql`select period, facts.fact, facts.currency, facts.n, facts.cents
        from wholes cross join day_sums as facts
        where facts.fact in (${sql.join(facts)}) and facts.software_id = ${software ?? 0}
          and facts.day >= wholes.first and facts.day < wholes.after and ${isOf}`,
      sql`select period, facts.fact, facts.currency, facts.n, facts.cents
        from day_changes as facts cross join wholes
        where facts.fact in (${sql.join(facts)}) and facts.at >= wholes.since and facts.at < wholes.until
          and facts.row_id <= (select kept from day_state where day_state.source = facts.source)
          and ${isOf} ${ofSoftware}`,
    );
  }
  for (const fact of facts) {
    const { source, at, holds, hasPrice, byCurrency, ...more } = DAY_FACTS[fact];
    const column = sql.ref(`facts.${at}`);
    const when = 'hasEndless' in more ? sql`coalesce(${column}, ${instant(db, NEVER)})` : column;
    const columns = sql`${sql.lit(fact)} as fact, facts.currency, 1 as n,
      ${hasPrice ? sql.ref('facts.price_cents') : sql.lit(0)} as cents`;
    if (wholes.length > 0) {
      parts.push(sql`select period, ${columns}
        from ${foundById(db, source, 'facts')} cross join wholes
        where facts.id > (select kept from day_state where source = ${sql.lit(source)}) and ${holds}
          and ${when} >= wholes.since and ${when} < wholes.until and ${isOf} ${ofSoftware}`);
    }
    if (edges.length === 0) continue;
    // An index that does not begin with the currency is found by the other conditions alone.
    const isOfIndex = byCurrency ? isOf : sql`coalesce(facts.currency, '') in (${sql.join(currencies)})`;
    parts.push(sql`select period, ${columns}
      from edges cross join ${sql.table(source)} as facts
      where ${holds} and ${column} >= edges.since and ${column} < edges.until and ${isOfIndex} ${ofSoftware}`);
    if ('hasEndless' in more && edges.some(isForEver)) {
      parts.push(sql`select period, ${columns}
        from edges cross join ${sql.table(source)} as facts
        where ${holds} and ${column} is null and edges.since <= ${instant(db, NEVER)}
          and edges.until > ${instant(db, NEVER)} and ${isOfIndex} ${ofSoftware}`);
    }
  }
  const values = (rows: (Piece | Whole)[]) => sql.join(rows.map((piece) => rowOf(db, piece)));
  const tables = [
    ...(edges.length > 0 ? [sql`edges (period, since, until) as (values ${values(edges)})`] : []),
    ...(wholes.length > 0
      ? [sql`wholes (period, since, until, first, after) as (values ${values(wholes)})`]
      : []),
  ];
  const { rows: found } = await sql<FactSum & { period: number }>`
    with ${sql.join(tables)}
    select period, fact, currency, sum(n) as n, sum(cents) as cents
    from (${sql.join(parts, sql` union all `)}) as found
    group by period, fact, currency`.execute(db);
  const sums: FactSum[][] = periods.map(() => []);
  for (const { period, ...sum } of found) if (sum.n !== 0 || sum.cents !== 0) sums[period]!.push(sum);
  return sums;
}

const rowOf = (db: Db, piece: Piece | Whole) =>
  sql`(${sql.join([
    sql.lit(piece.index),
    instant(db, piece.since),
    instant(db, piece.until),
    ...('first' in piece ? [piece.first, piece.after] : []),
  ])})`;

/** The sum of the prices, or the number, of some facts in one currency or all. */
export function totalOf(
  sums: FactSum[],
  what: 'n' | 'cents',
  isWanted: (sum: FactSum) => boolean = () => true,
): number {
  return sums.filter(isWanted).reduce((total, sum) => total + sum[what], 0);
}
