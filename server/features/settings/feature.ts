import type { Feature } from '../../feature.ts';
import { logoRoutes } from './logo.routes.ts';
import { settingsRoutes } from './settings.routes.ts';

export const settingsFeature: Feature = {
  rank: 0,
  routes: [settingsRoutes, logoRoutes],
};
