import { refreshStatistics } from '../../../db/plan-statistics.ts';
import { defineRepeatedJob } from '../../../jobs/define-job.ts';

/** Refreshes SQLite's statistics about its tables once a day; no query plan depends on them. */
export const planStatisticsJob = defineRepeatedJob({
  kind: 'plan-statistics',
  label: 'Estadísticas de la base de datos',
  every: 24 * 60 * 60_000,
  run: async ({ forLongWork: db }) => {
    await refreshStatistics(db);
  },
});
