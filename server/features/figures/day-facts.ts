import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { TERM_KINDS } from '../../../contract/licenses/license-lifecycle.ts';
import type { DaySource } from '../../db/tables.ts';

/**
 * The facts that are summed by day (docs/decisions/051-sums-by-day.md): rows of a table, each counted on the day of
 * one of its instants.
 */

/** In the sums, the end of licences that have no end; it is before {@link FOREVER}. */
export const NEVER = '9999-12-30T00:00:00.000Z';
/** The end of periods without an end. */
export const FOREVER = '9999-12-31T23:59:59.999Z';

type Instant = 'created_at' | 'ends' | 'expiry_date' | 'issued_date' | 'came_at' | 'left_at' | 'at';

type DayFact = {
  source: DaySource;
  at: Instant;
  /** The condition on its rows, written as in the source's index. */
  holds: RawBuilder<SqlBool>;
  /** The column of the amounts that are summed as well; null for none. */
  cents: 'price_cents' | 'amount_cents' | null;
  /** Whether the index begins with the currency. */
  byCurrency: boolean;
  /** Whether a row whose instant is null counts, at {@link NEVER}. */
  hasEndless?: true;
};

const sale = (kind: string): DayFact => ({
  source: 'license_terms',
  at: 'created_at',
  holds: sql`facts.kind = ${sql.lit(kind)} and facts.is_counted = true`,
  cents: 'price_cents',
  byCurrency: true,
});

const ending = (status: string): DayFact => ({
  source: 'licenses',
  at: 'expiry_date',
  holds: sql`facts.status = ${sql.lit(status)}`,
  cents: 'price_cents',
  byCurrency: false,
  hasEndless: true,
});

const ended = (isRenewed: boolean): DayFact => ({
  source: 'license_terms',
  at: 'ends',
  holds: sql`facts.is_trial = false and facts.is_renewed = ${sql.lit(isRenewed)} and facts.ends is not null`,
  cents: null,
  byCurrency: false,
});

const plain = (source: DaySource, at: Instant, holds = sql<SqlBool>`true`): DayFact => ({
  source,
  at,
  holds,
  cents: null,
  byCurrency: true,
});

/** Triggers record changes of the same facts under the same names (migrations 060 and 092). */
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
  /** What came in with payments, less what went back (MONEY-04). */
  collected: { ...plain('payment_moves', 'at'), cents: 'amount_cents' },
} as const satisfies Record<string, DayFact>;

export type FactName = keyof typeof DAY_FACTS;

/** What is sold: the terms that count, of each kind. */
export const SALES = TERM_KINDS.map((kind) => `sale.${kind}` as const);

/** The tables that facts are rows of. */
export const DAY_SOURCES: readonly DaySource[] = [
  'licenses',
  'license_terms',
  'license_spans',
  'payment_moves',
];

export const factsOf = (source: DaySource): FactName[] =>
  (Object.keys(DAY_FACTS) as FactName[]).filter((name) => DAY_FACTS[name].source === source);

/** What a row of a fact adds to its sum, in minor units. */
export const centsOf = (name: FactName): RawBuilder<number> => {
  const { cents } = DAY_FACTS[name];
  return cents === null ? sql.lit(0) : sql.ref(`facts.${cents}`);
};
