import { countKept } from '../db/kept-counts.ts';
import type { Db } from '../db/tables.ts';
import type { DrivingFilter } from './driving-filter.ts';
import type { Asked, PlacedRow } from './statements.ts';

/** How the matches of a list are found. */
export type Plan =
  /** Nothing matches the search text. */
  | { by: 'nothing' }
  /** A stored number says how many there are. */
  | { by: 'stored'; count: (db: Db) => Promise<number> }
  /** The index of the only filter finds and counts them. */
  | { by: 'oneIndex' }
  /** One filter finds the rows, and the others are tested on these. */
  | { by: 'driving'; driving: DrivingFilter }
  /** The first rows of the list already have more than are counted. */
  | { by: 'firstRows'; rows: PlacedRow[] }
  /** The text index finds candidates for the words. */
  | { by: 'texts' }
  /** The table is read. */
  | { by: 'scan' };

/** What has been read so far to choose a plan. What is missing was not read yet; null: there is none. */
export type Known = {
  /** The filter that finds the fewest rows, if these are few enough to read. */
  driving?: DrivingFilter | null;
  /** The first matches in the default order, if the first rows of the list have more than a few. */
  first?: PlacedRow[] | null;
};

/** A way to find the matches: its plan, null if it does not apply, or what has to be read to say so. */
type Guard = (asked: Asked, known: Known) => Plan | keyof Known | null;

const byNothing: Guard = ({ findsNothing }) => (findsNothing ? { by: 'nothing' } : null);

/** Stored counts, or the `count` of the only filter. Each stored count may be asked for by one filter. */
const byStoredCount: Guard = ({ countedBy, conditions, words }) => {
  if (countedBy === undefined || words.length > 0) return null;
  const [only, ...others] = conditions;
  if (only?.count && others.length === 0) return { by: 'stored', count: only.count };
  const kept = conditions.map((condition) => condition.kept);
  if (!kept.every((known) => known !== undefined)) return null;
  const names = kept.flatMap((known) => Object.keys(known));
  if (new Set(names).size < names.length) return null;
  return { by: 'stored', count: (db) => countKept(db, Object.assign({ table: countedBy }, ...kept)) };
};

/** For several frequent words the text index would find thousands of rows for each word. */
const byFirstRows: Guard = ({ words }, { first }) => {
  if (words.length < 2) return null;
  if (first === undefined) return 'first';
  return first && { by: 'firstRows', rows: first };
};

const byTexts: Guard = ({ words }) => (words.length > 0 ? { by: 'texts' } : null);

/** A single condition that one index answers alone: its rows are counted without reading them. */
const byOneIndex: Guard = ({ conditions: [only, ...others] }) =>
  only?.byIndex && !only.found && !only.onRow && others.length === 0 ? { by: 'oneIndex' } : null;

/**
 * A driving filter, unless it finds very many ids in another table and many matches are among the first rows of the
 * list anyway: then a page is better read in list order.
 */
const byDrivingFilter: Guard = ({ conditions, limits }, { driving, first }) => {
  if (!conditions.some(({ byIndex }) => byIndex)) return null;
  if (driving === undefined) return 'driving';
  if (driving === null) return null;
  const isFrequent = driving.condition.found !== undefined && driving.n > limits.counted;
  if (isFrequent && first === undefined) return 'first';
  return isFrequent && first ? null : { by: 'driving', driving };
};

/** The ways to find matches, in the order to try them; if none applies, the table is scanned. */
const GUARDS: readonly Guard[] = [
  byNothing,
  byStoredCount,
  byFirstRows,
  byTexts,
  byOneIndex,
  byDrivingFilter,
];

/**
 * Chooses how to find the matches, without a statement.
 * @returns the plan, or the name of what must be read and added to `known` before it can be chosen
 */
export function planOf(asked: Asked, known: Known): Plan | keyof Known {
  for (const guard of GUARDS) {
    const chosen = guard(asked, known);
    if (chosen !== null) return chosen;
  }
  return { by: 'scan' };
}
