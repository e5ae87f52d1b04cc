import type { Feature } from '../../feature.ts';
import { daySumsJob } from './fold-days.ts';

export const figuresFeature: Feature = {
  rank: 0,
  jobs: [daySumsJob],
};
