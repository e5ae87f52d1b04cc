import type { Feature } from '../../feature.ts';
import { notificationRoutes } from './notifications.routes.ts';

export const notificationsFeature: Feature = {
  rank: 1,
  routes: [notificationRoutes],
};
