import type { Feature } from '../../feature.ts';
import { certificateRoutes } from './certificate.routes.ts';
import { licenseRoutes } from './licenses.routes.ts';
import { lifecycleRoutes } from './lifecycle.routes.ts';

export const licensesFeature: Feature = {
  rank: 4,
  routes: [licenseRoutes, lifecycleRoutes, certificateRoutes],
};
