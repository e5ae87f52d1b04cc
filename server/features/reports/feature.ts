import type { Feature } from '../../feature.ts';
import { fiscalRoutes } from './fiscal.routes.ts';
import { recurringJob } from './recurring/fold-recurring.ts';
import { refreshJob, reportJob } from './report-job.ts';
import { reportRoutes } from './reports.routes.ts';

export const reportsFeature: Feature = {
  rank: 7,
  routes: [fiscalRoutes, reportRoutes],
  jobs: [reportJob, refreshJob, recurringJob],
};
