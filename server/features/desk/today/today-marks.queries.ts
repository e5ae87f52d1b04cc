import { type SqlBool, sql } from 'kysely';
import { localDay } from '../../../../contract/base/time.ts';
import { TODAY_MARK_DAYS, type TodayKind, type TodayMatter } from '../../../../contract/desk/today.ts';
import { isAmong } from '../../../db/dialect.ts';
import type { Db } from '../../../db/tables.ts';
import { refusedSince } from './refused-reasons.ts';

/** What staff marked in 'Para hoy' (DESK-01). */

const DAY_MS = 24 * 60 * 60_000;

type Fact = Pick<TodayMatter, 'record' | 'fact'>;

export const keyOf = ({ record, fact }: Fact): string => `${record}:${fact}`;

/** The rows of a kind that are marked as done, or for a later day than today, by {@link keyOf}. */
export async function hiddenAmong(
  db: Db,
  kind: TodayKind,
  rows: readonly Fact[],
  today: string,
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const marks = await db
    .selectFrom('today_marks')
    .select(['record', 'fact'])
    .where('kind', '=', kind)
    .where((eb) => isAmong(db, eb.ref('record'), [...new Set(rows.map(({ record }) => record))]))
    .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', today)]))
    .execute();
  return new Set(marks.map(keyOf));
}

/** Whether the row of a kind whose record and fact are these columns is not hidden on a local day. */
export const isOpenOn = (today: string, kind: TodayKind, record: string, fact: string) =>
  sql<SqlBool>`not exists (select 1 from today_marks as mark
    where mark.kind = ${sql.lit(kind)} and mark.record = ${sql.ref(record)} and mark.fact = ${sql.ref(fact)}
      and (mark.until is null or mark.until > ${today}))`;

const markOf = (matter: TodayMatter) => (db: Db) =>
  db
    .selectFrom('today_marks')
    .where('kind', '=', matter.kind)
    .where('record', '=', matter.record)
    .where('fact', '=', matter.fact)
    .select('marked_at')
    .executeTakeFirst();

export const isMarked = async (db: Db, matter: TodayMatter): Promise<boolean> =>
  (await markOf(matter)(db)) !== undefined;

/** Stores a mark; of two at once, the later stays. */
export async function storeMark(db: Db, matter: TodayMatter, until: string | null, now: Date): Promise<void> {
  const mark = { until, marked_at: now.toISOString() };
  await db
    .insertInto('today_marks')
    .values({ ...matter, ...mark })
    .onConflict((conflict) => conflict.columns(['kind', 'record', 'fact']).doUpdateSet(mark))
    .execute();
}

/** @returns whether there was one */
export async function deleteMark(db: Db, { kind, record, fact }: TodayMatter): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('today_marks')
    .where('kind', '=', kind)
    .where('record', '=', record)
    .where('fact', '=', fact)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Deletes the marks that are old enough, except those whose day has not come; and those of programs that were not
 * refused any more for as long as such rows are shown, so that a later refusal is another matter.
 */
export async function deletePastMarks(db: Db, now: Date, timeZone: string): Promise<void> {
  const today = localDay(now, timeZone);
  const oldest = new Date(now.getTime() - TODAY_MARK_DAYS * DAY_MS).toISOString();
  await db
    .deleteFrom('today_marks')
    .where('marked_at', '<', oldest)
    .where((eb) => eb.or([eb('until', 'is', null), eb('until', '<=', today)]))
    .execute();
  await db
    .deleteFrom('today_marks')
    .where('kind', '=', 'refused_program')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('license_checks')
            .select('license_checks.day')
            .whereRef('license_checks.license_id', '=', 'today_marks.record')
            .whereRef('license_checks.reason', '=', 'today_marks.fact')
            .where('license_checks.day', '>=', refusedSince(now, timeZone)),
        ),
      ),
    )
    .execute();
}
