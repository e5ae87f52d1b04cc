import { refreshStatistics } from '../../../db/plan-statistics.ts';
import { defineRepeatedJob } from '../../../jobs/define-job.ts';

/** Refreshes what SQLite knows of the sizes of its tables, once a day; nothing depends on it. */
export const planStatisticsJob = defineRepeatedJob({
  kind: 'plan-statistics',
  every: 24 * 60 * 60_000,
  run: async ({ forLongWork: db }) => {
    await refreshStatistics(db);
  },
});
