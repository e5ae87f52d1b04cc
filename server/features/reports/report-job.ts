import { z } from 'zod';
import { localDay } from '../../../contract/base/time.ts';
import { defineJob, defineRepeatedJob } from '../../jobs/define-job.ts';
import { CLIENT_STATISTICS, NEW_MACHINES, REVENUE, USE } from '../dashboard/statistics-figures.ts';
import { addMonths, type DayRange, monthOf, readRange } from '../figures/periods.ts';
import {
  deletePast,
  type FigureKind,
  filtersOf,
  isLarge,
  keyOf,
  listStored,
  nameOf,
  REFRESH_JOB,
  store,
} from '../figures/stored-figures.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { CLIENTS, TOP, USAGE } from './report-figures.ts';

const KINDS: readonly FigureKind<unknown>[] = [
  USAGE,
  CLIENTS,
  TOP,
  CLIENT_STATISTICS,
  REVENUE,
  USE,
  NEW_MACHINES,
];
const kindOf = (part: string) => KINDS.find((kind) => kind.part === part);

/** The kinds of figures with a period. Their period changes every day. */
const WITH_PERIOD = [TOP, REVENUE, NEW_MACHINES].map(({ part }) => part);

function periodsOf(today: string): DayRange[] {
  const month = monthOf(today);
  return [month, addMonths(month, -2), addMonths(month, -11), `${today.slice(0, 4)}-01`].map((first) => ({
    start_date: `${first}-01`,
    end_date: today,
  }));
}

/**
 * Computes the stored figures of large tables once each local day, as early as possible: for the periods that the
 * screen offers, and for those that were requested lately. A run after a kill continues with the figures that are
 * still of an earlier day.
 */
export const reportJob = defineRepeatedJob({
  kind: 'report-figures',
  label: 'Cifras de los reportes',
  every: 10 * 60_000,
  run: async (context, { signal, log }) => {
    const { forLongWork: db, now, config } = context;
    await deletePast(db, now());
    if (!(await isLarge(db))) return;
    const today = localDay(now(), config.timeZone);
    const usual = readRange({}, now(), config.timeZone);
    const stored = await listStored(db);
    const askedAt = new Map(stored.map((row) => [nameOf(row), row.asked_at]));
    const current = new Set(
      stored.filter(({ as_of }) => localDay(as_of, config.timeZone) === today).map(nameOf),
    );
    const requested = [
      ...[USAGE, CLIENTS, CLIENT_STATISTICS, USE].map(({ part }) => keyOf(part, {})),
      keyOf(REVENUE.part, { range: usual, currency: (await readSettings(db)).currency }),
      keyOf(NEW_MACHINES.part, { range: usual }),
      ...periodsOf(today).map((range) => keyOf(TOP.part, { range })),
      ...stored.filter(({ part }) => !WITH_PERIOD.includes(part)),
    ];
    let made = 0;
    for (const [name, key] of new Map(requested.map((one) => [nameOf(one), one]))) {
      const kind = kindOf(key.part);
      if (kind === undefined || current.has(name) || signal.aborted) continue;
      await store(context, kind, filtersOf(key), new Date(askedAt.get(name) ?? now()));
      made += 1;
    }
    if (made > 0) log.info({ made }, 'cifras de los reportes calculadas');
  },
});

/** Recomputes stored figures that were requested and are older than their kind's `freshFor`. */
export const refreshJob = defineJob({
  kind: REFRESH_JOB,
  label: 'Cifras de un reporte',
  payload: z.object({
    part: z.string(),
    software: z.string(),
    currency: z.string(),
    from: z.string(),
    to: z.string(),
  }),
  atOnce: 1,
  triesMax: 3,
  run: async (context, key) => {
    const kind = kindOf(key.part);
    if (kind) await store(context, kind, filtersOf(key), context.now());
  },
});
