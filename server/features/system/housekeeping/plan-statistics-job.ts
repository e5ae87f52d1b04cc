import { z } from 'zod';
import { refreshStatistics } from '../../../db/plan-statistics.ts';
import { defineJob } from '../../../jobs/define-job.ts';

/** Refreshes what SQLite knows of the sizes of its tables, once a day; nothing depends on it. */
export const planStatisticsJob = defineJob({
  kind: 'plan-statistics',
  payload: z.object({}),
  atOnce: 1,
  every: 24 * 60 * 60_000,
  triesMax: Number.POSITIVE_INFINITY,
  run: async ({ forLongWork: db }) => {
    await refreshStatistics(db);
  },
});
