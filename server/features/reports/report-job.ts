import { z } from 'zod';
import { localDay } from '../../../contract/base/time.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { addMonths, type DayRange, monthOf } from '../dashboard/periods.ts';
import { deletePast, isLarge, keep, listKept, type Wanted, wantedOf } from './kept-figures.ts';

/** The periods that the screen of reports offers, as they are on a day. */
function periodsOf(today: string): DayRange[] {
  const month = monthOf(today);
  return [month, addMonths(month, -2), addMonths(month, -11), `${today.slice(0, 4)}-01`].map((first) => ({
    start_date: `${first}-01`,
    end_date: today,
  }));
}

/**
 * Makes the figures of large tables that the reports keep, once each local day, as soon as it has begun: those of the
 * periods that the screen offers, and those that were asked for lately. A run that is killed goes on with what is
 * still of another day.
 */
export const reportJob = defineJob({
  kind: 'report-figures',
  payload: z.object({}),
  atOnce: 1,
  every: 10 * 60_000,
  triesMax: Number.POSITIVE_INFINITY,
  run: async (context, _payload, { signal, log }) => {
    const { forLongWork: db, now, config } = context;
    await deletePast(db, now());
    if (!(await isLarge(db))) return;
    const today = localDay(now(), config.timeZone);
    const kept = await listKept(db);
    const periods = periodsOf(today).map((range) => ({ part: 'top' as const, range }));
    const askedAt = new Map(kept.map((row) => [nameOf(wantedOf(row)), row.asked_at]));
    const current = new Set(
      kept
        .filter(({ as_of }) => localDay(as_of, config.timeZone) === today)
        .map((row) => nameOf(wantedOf(row))),
    );
    const again = kept.filter(({ part }) => part !== 'top').map(wantedOf);
    const all = new Map<string, Wanted<'usage' | 'clients' | 'top'>>(
      [{ part: 'usage' as const }, { part: 'clients' as const }, ...periods, ...again].map((wanted) => [
        nameOf(wanted),
        wanted,
      ]),
    );
    let made = 0;
    for (const [name, wanted] of all) {
      if (current.has(name) || signal.aborted) continue;
      await keep(context, wanted, new Date(askedAt.get(name) ?? now()));
      made += 1;
    }
    if (made > 0) log.info({ made }, 'cifras de los reportes calculadas');
  },
});

const nameOf = ({ part, software, currency, range }: Wanted<'usage' | 'clients' | 'top'>) =>
  [part, software ?? '', currency ?? '', range?.start_date ?? '', range?.end_date ?? ''].join(' ');
