import { localDay, startOfLocalDay, startOfNextLocalDay } from '../base/time.ts';
import type { MeterPeriod } from './meters.ts';

/** The periods of meters, without schemas: every record of use asks for one. */

/** A term of a licence, as far as a meter needs it. */
export type MeterTerm = { id: number; starts: string | null; ends: string | null };

/** One period of a meter: its key in the table of counts, when it began, and when the next begins. */
export type MeterSpan = { key: string; starts: string | null; resetsAt: string | null };

/**
 * The period of a meter at an instant, by the local calendar (SELL-03). One of a term lasts as long as the term, its grace
 * included, until the next one begins.
 * @param terms those that sold time, newest first; asked only for 'term'
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

/** From this part of its limit on a meter is shown in amber. */
const NEARLY_USED = 0.8;

export const isNearlyUsed = ({ used, limit }: { used: number; limit: number | null }): boolean =>
  limit !== null && used >= limit * NEARLY_USED;
