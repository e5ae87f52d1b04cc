import type { Feature } from '../../feature.ts';
import { viewRoutes } from './views.routes.ts';

export const viewsFeature: Feature = {
  rank: 0,
  routes: [viewRoutes],
};
