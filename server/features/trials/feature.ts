import type { Feature } from '../../feature.ts';
import { trialRoutes } from './trials.routes.ts';

export const trialsFeature: Feature = {
  rank: 6,
  routes: [trialRoutes],
};
