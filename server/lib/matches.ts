import type { Db } from '../db/tables.ts';
import { idStretches, type LongTable, type Stretch } from './stretches.ts';

/**
 * How many rows a list finds and, where they are few, which. A page of few is gathered and sorted; one of many is
 * reached by walking the rows in their order, which soon meets as many as a page needs.
 */
export type Matches = { count: number; ids: number[] | null };

/** Up to here, rows are few: their ids are remembered from counting them to reading a page of them. */
const FEW = 1000;

/** What was found when only its number is known. */
export const counted = (count: number): Matches => ({ count, ids: null });

/** What was found when all of its rows are known. */
export const gathered = (ids: number[]): Matches => ({ count: ids.length, ids });

/**
 * Looks through a table for rows that no index finds, a stretch of ids at a time, so that whoever waits is served in
 * between.
 * @param among the ids of the matching rows in a stretch
 */
export async function lookThrough(
  db: Db,
  table: LongTable,
  among: (stretch: Stretch) => Promise<{ id: number }[]>,
): Promise<Matches> {
  let count = 0;
  let ids: number[] | null = [];
  for await (const stretch of idStretches(db, table)) {
    const rows = await among(stretch);
    count += rows.length;
    if (count > FEW) ids = null;
    else ids?.push(...rows.map((row) => row.id));
  }
  return { count, ids };
}
