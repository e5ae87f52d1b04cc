import { type RawBuilder, sql } from 'kysely';
import { CURRENCIES, type Currency } from '../../../contract/base/money.ts';
import { forEachOf, foundById, instant, readInOneSnapshot } from '../../db/dialect.ts';
import type { DaySource, Db } from '../../db/tables.ts';
import { centsOf, DAY_FACTS, DAY_SOURCES, type FactName, FOREVER, NEVER } from './day-facts.ts';
import type { Period } from './periods.ts';

/**
 * Reads the sums by day (docs/decisions/051-sums-by-day.md). The result is exact for this moment. It adds up the sums
 * of whole days, the changes since they were made, the rows that are newer than the sums, and for the partial days at
 * both ends of a period the rows themselves. All of these are read in one snapshot.
 */

/** A fact in one currency: how often it occurred, and the sum of the amounts in minor units. */
export type FactSum = { fact: FactName; currency: Currency; n: number; cents: number };

type FactFilters = { software?: number | null; currency?: Currency | null };

/** A list: the sums of each of these software separately; null: the sums of all software together. */
type Asked = { software: readonly number[] | null; currency: Currency | null };
type Found = FactSum & { period: number; software: number };

/** With more new rows than this, the sums count as not made yet, and rows are not added one by one. */
const NEW_ROWS_MAX = 50_000;
const DAY_MS = 24 * 60 * 60 * 1000;

const isForEver = ({ since, until }: Period) => since <= NEVER && until > NEVER;

/** A part of the period with this index; its rows are added (1) or subtracted (-1). */
type Piece = Period & { index: number; sign: 1 | -1 };
type Whole = Period & { index: number; first: string; after: string };

/**
 * Splits a period into the whole UTC days that are nearest to it, and the partial days in which the two differ. Rows
 * that the whole days lack are added; rows that they have in excess are subtracted. Example: a month in Mexico begins
 * six hours after a UTC day, so at each end the rows of six hours are read and not those of eighteen.
 */
function split({ since, until }: Period, index: number): { whole: Whole | undefined; edges: Piece[] } {
  const [first, after] = [nearestDay(since), nearestDay(until)];
  const edges = [
    { index, since, until: first, sign: 1 as const },
    { index, since: first, until: since, sign: -1 as const },
    { index, since: after, until, sign: 1 as const },
    { index, since: until, until: after, sign: -1 as const },
  ].filter((edge) => edge.since < edge.until);
  const days = { first: first.slice(0, 10), after: after.slice(0, 10) };
  return { whole: first < after ? { index, since: first, until: after, ...days } : undefined, edges };
}

/**
 * Reads a partial day once if several periods use it: where one month ends, the next one begins.
 * @param free the first index that no period has
 * @returns `uses`: for the index of a shared partial day, how each period uses it
 */
function shareEdges(edges: Piece[], free: number): { edges: Piece[]; uses: Map<number, Piece[]> } {
  const uses = new Map<number, Piece[]>();
  const shared = [...Map.groupBy(edges, ({ since, until }) => `${since} ${until}`).values()].map((same) => {
    const [only, ...others] = same;
    if (others.length === 0) return only!;
    const index = free + uses.size;
    uses.set(index, same);
    return { ...only!, index, sign: 1 as const };
  });
  return { edges: shared, uses };
}

/** Adds the sums of shared partial days to the periods that use them. */
function distribute(rows: Found[], uses: Map<number, Piece[]>): Found[] {
  const sums = new Map<string, Found>();
  for (const row of rows) {
    for (const { index, sign } of uses.get(row.period) ?? [{ index: row.period, sign: 1 }]) {
      const key = [index, row.fact, row.currency, row.software].join(' ');
      const sum = sums.get(key) ?? { ...row, period: index, n: 0, cents: 0 };
      sum.n += sign * row.n;
      sum.cents += sign * row.cents;
      sums.set(key, sum);
    }
  }
  return [...sums.values()];
}

/**
 * The start of the UTC day that is nearest: of the same day or the next. After the last day of the calendar, the text
 * would have another form, so the same day is taken.
 */
function nearestDay(instantText: string): string {
  const nearest = new Date(Math.round(Date.parse(instantText) / DAY_MS) * DAY_MS).toISOString();
  return nearest.length === instantText.length ? nearest : `${instantText.slice(0, 10)}T00:00:00.000Z`;
}

type State = { isMade: boolean; kept: Record<DaySource, RawBuilder<number>> };

/** How far the sums reach, and whether only few new rows are missing in them. */
async function readState(db: Db): Promise<State> {
  const { rows } = await sql<{ source: DaySource; kept: number; behind: number }>`
    select source, kept, case source ${sql.join(
      DAY_SOURCES.map(
        (source) => sql`when ${sql.lit(source)} then coalesce((select max(id) from ${sql.table(source)}), 0)`,
      ),
      sql` `,
    )} end - kept as behind
    from day_state`.execute(db);
  const kept = rows.map(({ source, kept: id }) => [
    source,
    // In a transaction (PostgreSQL) the statement contains the number, so that PostgreSQL can estimate that few
    // rows come after it. Otherwise (SQLite) the statement reads the number.
    db.isTransaction
      ? sql<number>`${id}`
      : sql<number>`(select kept from day_state where source = ${source})`,
  ]);
  return { isMade: rows.every(({ behind }) => behind <= NEW_ROWS_MAX), kept: Object.fromEntries(kept) };
}

/**
 * Sums facts over periods.
 * @returns for each period its sums by fact and currency; empty sums are omitted
 */
export async function sumFacts(
  db: Db,
  facts: FactName[],
  periods: Period[],
  { software = null, currency = null }: FactFilters,
): Promise<FactSum[][]> {
  const found = await readSums(db, facts, periods, {
    software: software === null ? null : [software],
    currency,
  });
  const sums: FactSum[][] = periods.map(() => []);
  for (const { period, fact, currency: money, n, cents } of found) {
    sums[period]!.push({ fact, currency: money, n, cents });
  }
  return sums;
}

/** The number of licences that are active at an instant: status 'active' and not past their end (D067). */
export async function countActive(db: Db, at: string): Promise<number> {
  const [active] = await sumFacts(db, ['end.active'], [{ since: at, until: FOREVER }], {});
  return totalOf(active!, 'n');
}

/** How often a fact occurred in a period, for each of the given software; software without any has no entry. */
export async function countBySoftware(
  db: Db,
  fact: FactName,
  period: Period,
  software: readonly number[],
): Promise<Map<number, number>> {
  if (software.length === 0) return new Map();
  const counts = new Map<number, number>();
  for (const { software: id, n } of await readSums(db, [fact], [period], { software, currency: null })) {
    counts.set(id, (counts.get(id) ?? 0) + n);
  }
  return counts;
}

/** The sums that are not empty, by period, fact and currency, and also by software if some are asked for. */
function readSums(db: Db, facts: FactName[], periods: Period[], asked: Asked): Promise<Found[]> {
  return readInOneSnapshot(db, async (tx) => {
    const state = await readState(tx);
    const pieces = periods.map((period, index) =>
      state.isMade
        ? split(period, index)
        : { whole: undefined, edges: [{ ...period, index, sign: 1 as const }] },
    );
    const wholes = pieces.flatMap(({ whole }) => whole ?? []);
    const { edges, uses } = shareEdges(
      pieces.flatMap((piece) => piece.edges),
      periods.length,
    );
    const parts = facts.flatMap((fact) => [
      ...(wholes.length > 0 ? [newRows(tx, fact, state, asked)] : []),
      ...(edges.length > 0 ? ofEdges(tx, fact, edges, asked) : []),
    ]);
    if (wholes.length > 0) parts.push(...ofWholes(tx, facts, state, asked));
    const values = (rows: (Piece | Whole)[]) => sql.join(rows.map((piece) => rowOf(tx, piece)));
    const tables = [
      ...(edges.length > 0 ? [sql`edges (period, since, until, sign) as (values ${values(edges)})`] : []),
      ...(wholes.length > 0
        ? [sql`wholes (period, since, until, first, after) as (values ${values(wholes)})`]
        : []),
    ];
    const { rows } = await sql<Found>`
      with ${sql.join(tables)}
      select period, fact, currency, software, sum(n) as n, sum(cents) as cents
      from (${sql.join(
        parts.map((part) => sql`select period, fact, currency, software, n, cents from (${part}) as part`),
        sql` union all `,
      )}) as found
      group by period, fact, currency, software`.execute(tx);
    // A payment may be in a currency that this program does not know.
    return distribute(rows, uses).filter(
      ({ n, cents, currency }) => (n !== 0 || cents !== 0) && CURRENCIES.includes(currency),
    );
  });
}

const currenciesOf = ({ currency }: Asked) => sql.join(currency === null ? [...CURRENCIES] : [currency]);

const SOFTWARE = sql<number>`coalesce(facts.software_id, 0)`;

const ofSoftware = ({ software }: Asked) =>
  software === null ? sql`` : sql`and ${SOFTWARE} in (${sql.join(software)})`;

/** The column for the software of a row; 0 if all software is summed together. */
const softwareColumn = ({ software }: Asked) =>
  software === null ? sql`0 as software` : sql`${SOFTWARE} as software`;

const columnsOf = (fact: FactName, asked: Asked, sign = sql<number>`1`) => {
  return sql`${sql.lit(fact)} as fact, facts.currency, ${softwareColumn(asked)}, ${sign} as n, ${sign} * ${centsOf(fact)} as cents`;
};

/** The sums of whole days, and the changes recorded since they were made. */
function ofWholes(db: Db, facts: FactName[], { kept }: State, asked: Asked): RawBuilder<unknown>[] {
  // Without a currency there is no condition on it: for a list of all nine, PostgreSQL would read the days of a
  // software nine times.
  const isOf = sql`facts.fact in (${sql.join(facts)}) ${asked.currency === null ? sql`` : sql`and facts.currency = ${asked.currency}`}`;
  // For many software the days are summed first, so that PostgreSQL does not sort thousands of days to sum them with
  // the rest.
  const isSummedFirst = (asked.software?.length ?? 0) > 1;
  const sums = isSummedFirst ? sql`sum(facts.n) as n, sum(facts.cents) as cents` : sql`facts.n, facts.cents`;
  const isKept = Object.entries(kept).map(
    ([source, id]) => sql`(facts.source = ${source} and facts.row_id <= ${id})`,
  );
  return [
    forEachOf(db, sql`wholes`, {
      columns: sql`facts.fact, facts.currency, ${softwareColumn(asked)}, ${sums}`,
      from: sql`day_sums as facts`,
      where: sql`${isOf} and facts.software_id in (${sql.join(asked.software ?? [0])})
        and facts.day >= wholes.first and facts.day < wholes.after
        ${isSummedFirst ? sql`group by wholes.period, facts.fact, facts.currency, facts.software_id` : sql``}`,
    }),
    sql`select period, facts.fact, facts.currency, ${softwareColumn(asked)}, facts.n, facts.cents
      from day_changes as facts cross join wholes
      where ${isOf} and facts.at >= wholes.since and facts.at < wholes.until
        and (${sql.join(isKept, sql` or `)}) ${ofSoftware(asked)}`,
  ];
}

/** The rows that are newer than the sums, within whole days. */
function newRows(db: Db, fact: FactName, { kept }: State, asked: Asked): RawBuilder<unknown> {
  const { source, at, holds, ...more } = DAY_FACTS[fact];
  const column = sql.ref(`facts.${at}`);
  const when = 'hasEndless' in more ? sql`coalesce(${column}, ${instant(db, NEVER)})` : column;
  return sql`select period, ${columnsOf(fact, asked)}
    from ${foundById(db, source, 'facts')} cross join wholes
    where facts.id > ${kept[source]} and ${holds} and ${when} >= wholes.since and ${when} < wholes.until
      and facts.currency in (${currenciesOf(asked)}) ${ofSoftware(asked)}`;
}

/** The rows in the partial days at the ends of periods. */
function ofEdges(db: Db, fact: FactName, edges: Piece[], asked: Asked): RawBuilder<unknown>[] {
  const { source, at, holds, byCurrency, ...more } = DAY_FACTS[fact];
  const column = sql.ref(`facts.${at}`);
  // An index that does not begin with the currency must be used through the other conditions; `coalesce` keeps the
  // currency out of the choice of an index.
  const currency = byCurrency ? sql`facts.currency` : sql`coalesce(facts.currency, '')`;
  const rows = (isThere: RawBuilder<unknown>) =>
    forEachOf(db, sql`edges`, {
      columns: columnsOf(fact, asked, sql`edges.sign`),
      from: sql`${sql.table(source)} as facts`,
      where: sql`${holds} and ${isThere} and ${currency} in (${currenciesOf(asked)}) ${ofSoftware(asked)}`,
    });
  const never = instant(db, NEVER);
  return [
    rows(sql`${column} >= edges.since and ${column} < edges.until`),
    ...('hasEndless' in more && edges.some(isForEver)
      ? [rows(sql`${column} is null and edges.since <= ${never} and edges.until > ${never}`)]
      : []),
  ];
}

const rowOf = (db: Db, piece: Piece | Whole) =>
  sql`(${sql.join([
    sql.lit(piece.index),
    instant(db, piece.since),
    instant(db, piece.until),
    ...('first' in piece ? [piece.first, piece.after] : [sql.lit(piece.sign)]),
  ])})`;

/** The total of the amounts, or the total number, of some facts. */
export function totalOf(
  sums: FactSum[],
  what: 'n' | 'cents',
  isSummed: (sum: FactSum) => boolean = () => true,
): number {
  return sums.filter(isSummed).reduce((total, sum) => total + sum[what], 0);
}
