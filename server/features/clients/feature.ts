import type { Feature } from '../../feature.ts';
import { clientRoutes } from './clients.routes.ts';

export const clientsFeature: Feature = {
  rank: 5,
  routes: [clientRoutes],
};
