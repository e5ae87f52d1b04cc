import { z } from 'zod';
import { deletePastKeys } from '../../http/idempotency.ts';
import { deletePastWindows } from '../../http/throttle.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { deletePastLinks } from '../account/user-links.ts';
import { deletePastSessions } from '../auth/auth.queries.ts';
import { deletePastChallenges } from '../auth/sign-in-challenge.ts';
import { deletePastBulkJobs } from '../bulk/bulk.queries.ts';
import { deletePastImports } from '../imports/imports.queries.ts';
import { deletePastReads } from '../notifications/notification-reads.queries.ts';

/** Deletes expired rows: sessions, tokens, windows of counters, stored answers, finished jobs, marks of past notifications. */
export const housekeepingJob = defineJob({
  kind: 'housekeeping',
  payload: z.object({}),
  atOnce: 1,
  every: 10 * 60_000,
  triesMax: Number.POSITIVE_INFINITY,
  run: async ({ forLongWork: db, now }) => {
    await deletePastSessions(db, now());
    await deletePastChallenges(db, now());
    await deletePastLinks(db, now());
    await deletePastWindows(db, now());
    await deletePastKeys(db, now());
    await deletePastBulkJobs(db, now());
    await deletePastImports(db, now());
    await deletePastReads(db, now());
  },
});
