import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DaySource } from '../../db/tables.ts';

/**
 * The facts that are summed by day (docs/decisions/051-sums-by-day.md): rows of a table, each counted on the day of
 * one of its instants.
 */

/** In the sums, the end of licences that have no end; it is before {@link FOREVER}. */
export const NEVER = '9999-12-30T00:00:00.000Z';
/** The end of periods without an end. */
export const FOREVER = '9999-12-31T23:59:59.999Z';

type Instant = 'created_at' | 'ends' | 'expiry_date' | 'issued_date' | 'came_at' | 'left_at';

type DayFact = {
  source: DaySource;
  at: Instant;
  /** The condition on its rows, written as in the source's index. */
  holds: RawBuilder<SqlBool>;
  /** Whether prices are summed as well. */
  hasPrice: boolean;
  /** Whether the index begins with the currency. */
  byCurrency: boolean;
  /** Whether a row whose instant is null counts, at {@link NEVER}. */
  hasEndless?: true;
};

const sale = (kind: string): DayFact => ({
  source: 'license_terms',
  at: 'created_at',
  holds: sql`facts.kind = ${sql.lit(kind)} and facts.is_counted = true`,
  hasPrice: true,
  byCurrency: true,
});

const ending = (status: string): DayFact => ({
  source: 'licenses',
  at: 'expiry_date',
  holds: sql`facts.status = ${sql.lit(status)}`,
  hasPrice: true,
  byCurrency: false,
  hasEndless: true,
});

const ended = (isRenewed: boolean): DayFact => ({
  source: 'license_terms',
  at: 'ends',
  holds: sql`facts.is_trial = false and facts.is_renewed = ${sql.lit(isRenewed)} and facts.ends is not null`,
  hasPrice: false,
  byCurrency: false,
});

const plain = (source: DaySource, at: Instant, holds = sql<SqlBool>`true`): DayFact => ({
  source,
  at,
  holds,
  hasPrice: false,
  byCurrency: true,
});

/** The triggers of migration 029 record the same facts under the same names. */
export const DAY_FACTS = {
  /** Terms that count as sales, by kind. */
  'sale.issue': sale('issue'),
  'sale.renewal': sale('renewal'),
  'sale.upgrade': sale('upgrade'),
  'sale.maintenance': sale('maintenance'),
  'sale.seats': sale('seats'),
  /** Ended terms that were not trials, by whether another term was sold after them. */
  'term.renewed': ended(true),
  'term.gone': ended(false),
  /** The ends of licences, by status. */
  'end.active': ending('active'),
  'end.trial': ending('trial'),
  'end.expired': ending('expired'),
  issued: plain('licenses', 'issued_date'),
  /** Licences that became active, and licences that stopped being active. */
  came: plain('license_spans', 'came_at'),
  left: plain('license_spans', 'left_at', sql`facts.left_at is not null`),
} as const satisfies Record<string, DayFact>;

export type FactName = keyof typeof DAY_FACTS;

export const factsOf = (source: DaySource): FactName[] =>
  (Object.keys(DAY_FACTS) as FactName[]).filter((name) => DAY_FACTS[name].source === source);
