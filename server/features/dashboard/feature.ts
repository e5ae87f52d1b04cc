import type { Feature } from '../../feature.ts';
import { statisticsRoutes } from './statistics.routes.ts';

export const dashboardFeature: Feature = {
  rank: 6,
  routes: [statisticsRoutes],
};
