import type { Feature } from '../../feature.ts';
import { usageRoutes } from './usage.routes.ts';

export const usageFeature: Feature = {
  rank: 5,
  routes: [usageRoutes],
};
