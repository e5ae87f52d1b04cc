import { expiringKeysJob } from './features/api-keys/expiring-keys-job.ts';
import { bulkJob } from './features/bulk/bulk-job.ts';
import { housekeepingJob } from './features/housekeeping/housekeeping-job.ts';
import { planStatisticsJob } from './features/housekeeping/plan-statistics-job.ts';
import { retentionJob } from './features/housekeeping/retention-job.ts';
import { importJob } from './features/imports/import-job.ts';
import { lapsedSeatsJob } from './features/installations/lapsed-seats-job.ts';
import { mailJob } from './features/mail/mail-job.ts';
import { digestJob } from './features/reminders/digest-job.ts';
import { expiryJob } from './features/reminders/expiry-job.ts';
import { reminderJob } from './features/reminders/reminder-job.ts';
import { reportJob } from './features/reports/report-job.ts';
import { daySumsJob } from './features/statistics/fold-days.ts';
import { webhookJob } from './features/webhooks/webhook-job.ts';

/** All background jobs. */
export const JOBS = [
  mailJob,
  bulkJob,
  importJob,
  housekeepingJob,
  retentionJob,
  expiryJob,
  lapsedSeatsJob,
  reminderJob,
  digestJob,
  expiringKeysJob,
  reportJob,
  webhookJob,
  daySumsJob,
  planStatisticsJob,
];
