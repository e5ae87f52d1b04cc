import type { Feature } from '../../feature.ts';
import { importJob } from './import-job.ts';
import { importRoutes } from './imports.routes.ts';

export const importsFeature: Feature = {
  rank: 6,
  routes: [importRoutes],
  jobs: [importJob],
};
