import type { Feature } from '../../feature.ts';
import { softwareRoutes } from './software.routes.ts';

export const softwareFeature: Feature = {
  rank: 1,
  routes: [softwareRoutes],
};
