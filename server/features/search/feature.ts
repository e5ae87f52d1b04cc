import type { Feature } from '../../feature.ts';
import { foldPaymentTextsJob, foldTextsJob } from './fold-texts-job.ts';
import { searchRoutes } from './search.routes.ts';

export const searchFeature: Feature = {
  rank: 6,
  routes: [searchRoutes],
  jobs: [foldTextsJob, foldPaymentTextsJob],
};
