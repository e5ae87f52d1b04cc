import type { Feature } from '../../feature.ts';
import { endMergeJob } from './merge-in-parts.ts';
import { mergeRoutes } from './merges.routes.ts';

export const mergesFeature: Feature = {
  rank: 9,
  routes: [mergeRoutes],
  jobs: [endMergeJob],
};
