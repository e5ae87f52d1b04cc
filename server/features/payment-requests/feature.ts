import type { Feature } from '../../feature.ts';

export const paymentRequestsFeature: Feature = {
  rank: 2,
};
