import { localDay, startOfLocalDay, startOfNextLocalDay } from '../base/time.ts';
import type { MeterPeriod } from './meters.ts';

/** The periods of meters. Without schemas, because every usage record is checked with it. */

/** The fields of a term that a meter needs. */
export type MeterTerm = { id: number; starts: string | null; ends: string | null };

/** One period of a meter: its key in the table of counts, its start, and the start of the next period. */
export type MeterSpan = { key: string; starts: string | null; resetsAt: string | null };

/**
 * The period of a meter at an instant, in local time (SELL-03). The period of a 'term' meter lasts until the next term
 * begins, including the grace.
 * @param terms terms that added time, newest first; used only for 'term'
 */
export function meterSpan(
  period: MeterPeriod,
  at: string,
  { issuedDate, terms, timeZone }: { issuedDate: string; terms: readonly MeterTerm[]; timeZone: string },
): MeterSpan {
  if (period === 'never') return { key: 'all', starts: issuedDate, resetsAt: null };
  if (period === 'term') return termSpan(terms, at, issuedDate);
  const day = localDay(at, timeZone);
  const year = day.slice(0, 4);
  const month = day.slice(0, 7);
  const startOf = (first: string) => startOfLocalDay(first, timeZone);
  switch (period) {
    case 'day':
      return { key: day, starts: startOf(day), resetsAt: startOfNextLocalDay(day, timeZone) };
    case 'month': {
      const last = new Date(Date.UTC(Number(year), Number(month.slice(5)), 0)).toISOString().slice(0, 10);
      return { key: month, starts: startOf(`${month}-01`), resetsAt: startOfNextLocalDay(last, timeZone) };
    }
    case 'year':
      return {
        key: year,
        starts: startOf(`${year}-01-01`),
        resetsAt: startOfNextLocalDay(`${year}-12-31`, timeZone),
      };
  }
}

function termSpan(terms: readonly MeterTerm[], at: string, issuedDate: string): MeterSpan {
  const time = Date.parse(at);
  const term = terms.find(({ starts }) => starts !== null && Date.parse(starts) <= time) ?? terms.at(-1);
  if (!term) return { key: 'all', starts: issuedDate, resetsAt: null };
  return { key: `t${term.id}`, starts: term.starts, resetsAt: term.ends };
}

/** A meter is shown in amber from this fraction of its limit. */
const NEARLY_USED = 0.8;

export const isNearlyUsed = ({ used, limit }: { used: number; limit: number | null }): boolean =>
  limit !== null && used >= limit * NEARLY_USED;
