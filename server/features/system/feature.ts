import type { Feature } from '../../feature.ts';
import { systemChecksJob } from './checks/system-checks-job.ts';
import { backupJob } from './copies/backup-job.ts';
import { healthRoutes } from './health/health.routes.ts';
import { housekeepingJob } from './housekeeping/housekeeping-job.ts';
import { planStatisticsJob } from './housekeeping/plan-statistics-job.ts';
import { retentionJob } from './housekeeping/retention-job.ts';
import { systemRoutes } from './system.routes.ts';

export const systemFeature: Feature = {
  rank: 8,
  routes: [healthRoutes, systemRoutes],
  jobs: [housekeepingJob, retentionJob, planStatisticsJob, systemChecksJob, backupJob],
};
