import type { Feature } from '../../feature.ts';
import { todayRoutes } from './today.routes.ts';

export const deskFeature: Feature = {
  rank: 7,
  routes: [todayRoutes],
};
