import type { Feature } from '../../feature.ts';

export const demoFeature: Feature = {
  rank: 6,
};
