import type { Feature } from '../../feature.ts';
import { digestJob } from './digest-job.ts';
import { expiryJob } from './expiry-job.ts';
import { reminderJob } from './reminder-job.ts';
import { unsubscribeRoutes } from './unsubscribe.routes.ts';

export const remindersFeature: Feature = {
  rank: 6,
  routes: [unsubscribeRoutes],
  jobs: [expiryJob, reminderJob, digestJob],
};
