import type { Feature } from '../../feature.ts';
import { saleRoutes } from './sales.routes.ts';

export const salesFeature: Feature = {
  rank: 6,
  routes: [saleRoutes],
};
