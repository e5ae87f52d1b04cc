import type { Feature } from '../../feature.ts';
import { catalogRoutes } from './catalog.routes.ts';

export const catalogFeature: Feature = {
  rank: 2,
  routes: [catalogRoutes],
};
