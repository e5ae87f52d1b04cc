import type { Feature } from '../../feature.ts';
import { bulkRoutes } from './bulk.routes.ts';
import { bulkJob } from './bulk-job.ts';

export const bulkFeature: Feature = {
  rank: 6,
  routes: [bulkRoutes],
  jobs: [bulkJob],
};
