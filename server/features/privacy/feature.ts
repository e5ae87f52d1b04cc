import type { Feature } from '../../feature.ts';
import { privacyRoutes } from './privacy.routes.ts';

export const privacyFeature: Feature = {
  rank: 8,
  routes: [privacyRoutes],
};
