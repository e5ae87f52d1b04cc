import { localDay } from '../../../../contract/base/time.ts';
import {
  readTodayId,
  TODAY_MESSAGES,
  type TodayMark,
  type TodayMatter,
} from '../../../../contract/desk/today.ts';
import type { Db } from '../../../db/tables.ts';
import { AppError, fault, forbidden, notFound } from '../../../errors.ts';
import type { Scope } from '../../../scope.ts';
import { mayHandle, type TodayReader } from './source.ts';
import { holdsNow, maySee } from './today.queries.ts';
import { deleteMark, isMarked, storeMark } from './today-marks.queries.ts';

const gone = () => notFound(TODAY_MESSAGES.notFound);

/**
 * Reads the id of a row that somebody may mark.
 * @throws notFound (404) for what is no id; forbidden (403) without the permission of its kind
 */
function matterOf(id: string, reader: TodayReader): TodayMatter {
  const matter = readTodayId(id);
  if (!matter) throw gone();
  if (!mayHandle(matter.kind, reader)) throw forbidden();
  return matter;
}

/** @throws notFound (404) for what neither holds nor was marked, and for what the reader may not see */
async function authorizeMark(
  tx: Db,
  reader: TodayReader,
  matter: TodayMatter,
  isKnown: boolean,
): Promise<void> {
  const isThere = isKnown ? await maySee(tx, reader, matter) : await holdsNow(tx, reader, matter);
  if (!isThere) throw gone();
}

/**
 * Marks a row for everybody: as done, or with a day on which it comes back. A row that is marked already, or was when
 * its cause ended, can be marked again.
 * @param until a local day after today; null for done
 * @throws notFound (404), forbidden (403), AppError 400 for a day that is not after today
 */
export async function markToday(
  { tx, now, timeZone }: Scope,
  reader: TodayReader,
  id: string,
  until: string | null,
): Promise<TodayMark> {
  const matter = matterOf(id, reader);
  if (until !== null && until <= localDay(now, timeZone)) {
    throw new AppError(400, 'invalid', {
      errors: { until: [fault('out_of_range', TODAY_MESSAGES.untilAfterToday)] },
    });
  }
  await authorizeMark(tx, reader, matter, await isMarked(tx, matter));
  await storeMark(tx, matter, until, now);
  return { id, state: until === null ? 'done' : 'later', until };
}

/**
 * Takes a mark away, so that the row is shown while its cause lasts.
 * @throws notFound (404), forbidden (403)
 */
export async function reopenToday({ tx }: Scope, reader: TodayReader, id: string): Promise<TodayMark> {
  const matter = matterOf(id, reader);
  await authorizeMark(tx, reader, matter, await deleteMark(tx, matter));
  return { id, state: 'open', until: null };
}
