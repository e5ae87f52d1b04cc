import type { Feature } from '../../feature.ts';
import { tagRoutes } from './tags.routes.ts';

export const tagsFeature: Feature = {
  rank: 0,
  routes: [tagRoutes],
};
