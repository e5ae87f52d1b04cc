import { bulkJob } from './features/bulk/bulk-job.ts';
import { daySumsJob } from './features/figures/fold-days.ts';
import { importJob } from './features/imports/import-job.ts';
import { mailJob } from './features/mail/mail-job.ts';
import { expiringKeysJob } from './features/people/api-keys/expiring-keys-job.ts';
import { lapsedSeatsJob } from './features/programs/lapsed-seats-job.ts';
import { digestJob } from './features/reminders/digest-job.ts';
import { expiryJob } from './features/reminders/expiry-job.ts';
import { reminderJob } from './features/reminders/reminder-job.ts';
import { refreshJob, reportJob } from './features/reports/report-job.ts';
import { housekeepingJob } from './features/system/housekeeping/housekeeping-job.ts';
import { planStatisticsJob } from './features/system/housekeeping/plan-statistics-job.ts';
import { retentionJob } from './features/system/housekeeping/retention-job.ts';
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
  refreshJob,
  webhookJob,
  daySumsJob,
  planStatisticsJob,
];
