import type { Feature } from '../../feature.ts';
import { mailJob } from './mail-job.ts';
import { mailRoutes } from './mails.routes.ts';
import { waitingMailsJob } from './send-waiting.ts';

export const mailFeature: Feature = {
  rank: 1,
  routes: [mailRoutes],
  jobs: [mailJob, waitingMailsJob],
};
