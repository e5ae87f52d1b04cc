import type { Asked, PlacedRow } from './statements.ts';

/** The matches of all pages of a list. */
export type Matches = {
  /** False for a search with more matches than it counts (D045), and for a scan that left out the older rows. */
  isExact: boolean;
} & (
  | { /** The ids of all matches, in any order. */ kind: 'all'; ids: number[] }
  | {
      kind: 'many';
      /** The number of matches, if it is exact. */
      atLeast: number;
      start: Start;
      /** The query as its matches were counted: with the one filter whose index finds the rows. */
      counted?: Asked;
    }
);

/**
 * Where a page of many matches begins to read: `order` follows the list from its first row, `candidates` are ids that
 * include all matches, and `first` are the first matches in the default order. `driven` is the same query after one
 * filter has been replaced by the ids that it finds in another table; `ids` are these, if they are all matches.
 */
export type Start =
  | { from: 'order' }
  | { from: 'candidates'; ids: number[] }
  | { from: 'first'; rows: PlacedRow[] }
  | { from: 'driven'; asked: Asked; ids: number[] | null };

export type Many = Extract<Matches, { kind: 'many' }>;

export const allMatches = (ids: number[], isExact = true): Matches => ({ kind: 'all', ids, isExact });

const many =
  (isExact: boolean) =>
  (atLeast: number, start: Start = { from: 'order' }): Many => ({ kind: 'many', atLeast, isExact, start });

export const exactly = many(true);
export const moreThan = many(false);

export const countIn = (matches: Matches) => ({
  count: matches.kind === 'all' ? matches.ids.length : matches.atLeast,
  isExact: matches.isExact,
});
