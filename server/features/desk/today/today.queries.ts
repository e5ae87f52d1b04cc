import { localDay } from '../../../../contract/base/time.ts';
import {
  TODAY_ACTION_OF,
  TODAY_COUNT_MAX,
  TODAY_MAX,
  type TodayItem,
  type TodayKind,
  type TodayList,
  type TodayMatter,
  todayIdOf,
} from '../../../../contract/desk/today.ts';
import type { Db } from '../../../db/tables.ts';
import { mayHandle, type TodayReader, type TodayRow, type TodaySource } from './source.ts';
import { TODAY_SOURCES } from './sources.ts';
import { hiddenAmong, keyOf } from './today-marks.queries.ts';

/**
 * 'Para hoy' (DESK-01): computed from the present state of the tables; only marks are stored
 * (docs/decisions/138-para-hoy-is-an-inbox.md).
 */

/** So many rows are read more than are wanted, because some are marked or nothing to do; then so many at once. */
const SPARE = 20;
const LOOKED_AT = 1000;
/** A record has few rows: where it can have many, `find` reads the one of the fact. */
const OF_RECORD_MAX = 20;
/** So many places each kind has, so that a thousand ends do not hide a backup that is missing. */
const PLACES_OF_KIND = 4;

const itemOf = (kind: TodaySource['kind'], { record, fact, action, ...row }: TodayRow): TodayItem => ({
  id: todayIdOf({ kind, record, fact }),
  kind,
  ...row,
  action: action ?? TODAY_ACTION_OF[kind],
});

/** The rows of a kind that nobody marked, at most `wanted`, and whether these are all. */
async function openRows(db: Db, reader: TodayReader, { kind, find }: TodaySource, requested: number) {
  const today = localDay(reader.now, reader.timeZone);
  const open = new Map<string, TodayRow>();
  const first = requested + SPARE;
  for (const { limit, offset } of [
    { limit: first, offset: 0 },
    { limit: LOOKED_AT, offset: first },
  ]) {
    const read = await find(db, reader, { limit, offset, openOn: today });
    const rows = read.filter((row) => row !== null);
    const hidden = await hiddenAmong(db, kind, rows, today);
    for (const row of rows) if (!hidden.has(keyOf(row))) open.set(keyOf(row), row);
    const isAll = read.length < limit;
    if (isAll || open.size >= requested)
      return { rows: [...open.values()].slice(0, requested), isAll: isAll && open.size <= requested };
  }
  return { rows: [...open.values()].slice(0, requested), isAll: false };
}

/** What somebody may act on today: at most fifty rows in the order of urgency. The count stops at a hundred. */
export async function listToday(db: Db, reader: TodayReader): Promise<TodayList> {
  const kinds: TodayItem[][] = [];
  let total = 0;
  let isExact = true;
  for (const source of TODAY_SOURCES) {
    if (!mayHandle(source.kind, reader)) continue;
    const requested = Math.max(TODAY_COUNT_MAX + 1 - total, PLACES_OF_KIND);
    const { rows, isAll } = await openRows(db, reader, source, requested);
    kinds.push(rows.map((row) => itemOf(source.kind, row)));
    total += rows.length;
    isExact &&= isAll;
  }
  return {
    count: Math.min(total, TODAY_COUNT_MAX),
    count_is_exact: isExact && total <= TODAY_COUNT_MAX,
    results: shown(kinds),
  };
}

/** Each kind gets its first rows; the places that remain go to the most urgent. */
function shown(kinds: TodayItem[][]): TodayItem[] {
  const places = kinds.map(({ length }) => Math.min(length, PLACES_OF_KIND));
  let rest = TODAY_MAX - places.reduce((sum, count) => sum + count, 0);
  for (const [index, { length }] of kinds.entries()) {
    const more = Math.min(length - places[index]!, rest);
    places[index]! += more;
    rest -= more;
  }
  return kinds.flatMap((items, index) => items.slice(0, places[index]));
}

const sourceOf = (kind: TodayKind) => TODAY_SOURCES.find((one) => one.kind === kind);

/** Whether somebody who handles a kind may see what concerns its record, also if it is no matter any more. */
export async function maySee(db: Db, reader: TodayReader, { kind, record }: TodayMatter): Promise<boolean> {
  const source = sourceOf(kind);
  return source?.maySee === undefined || source.maySee(db, reader, record);
}

/** Whether a row is true now, marked or not. */
export async function holdsNow(
  db: Db,
  reader: TodayReader,
  { kind, record, fact }: TodayMatter,
): Promise<boolean> {
  const source = sourceOf(kind);
  if (!source) return false;
  const rows = await source.find(db, reader, { limit: OF_RECORD_MAX, offset: 0, record, fact });
  return rows.some((row) => row?.record === record && row.fact === fact);
}
