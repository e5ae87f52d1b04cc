import type { Feature } from '../../feature.ts';
import { eventRoutes } from './events.routes.ts';

export const eventsFeature: Feature = {
  rank: 0,
  routes: [eventRoutes],
};
