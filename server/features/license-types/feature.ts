import type { Feature } from '../../feature.ts';
import { licenseTypeRoutes } from './license-types.routes.ts';

export const licenseTypesFeature: Feature = {
  rank: 1,
  routes: [licenseTypeRoutes],
};
