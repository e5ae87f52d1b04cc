import type { Feature } from '../../feature.ts';
import { mailServerRoutes } from './mail-server.routes.ts';

export const mailServerFeature: Feature = {
  rank: 3,
  routes: [mailServerRoutes],
};
