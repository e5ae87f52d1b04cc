import type { Feature } from '../../feature.ts';
import { developerKitRoutes } from './developer-kit.routes.ts';

export const developerKitFeature: Feature = {
  rank: 6,
  routes: [developerKitRoutes],
};
