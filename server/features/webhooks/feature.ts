import type { Feature } from '../../feature.ts';
import { webhookDeliveryRoutes } from './deliveries.routes.ts';
import { webhookJob } from './webhook-job.ts';
import { webhookRoutes } from './webhooks.routes.ts';

export const webhooksFeature: Feature = {
  rank: 7,
  routes: [webhookRoutes, webhookDeliveryRoutes],
  jobs: [webhookJob],
};
