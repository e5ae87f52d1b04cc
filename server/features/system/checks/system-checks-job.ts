import { defineRepeatedJob } from '../../../jobs/define-job.ts';
import { SERVER_CHECKS } from './all-checks.ts';
import { runChecks } from './run-checks.ts';
import { storeChecks } from './stored-checks.queries.ts';

const HOUR_MS = 3_600_000;

/** Checks the installation each hour, on one replica; at once when somebody asks (OPS-02). */
export const systemChecksJob = defineRepeatedJob({
  kind: 'system-checks',
  every: HOUR_MS,
  early: HOUR_MS,
  run: async (context, { signal }) => {
    const startedAt = new Date(context.now().getTime() - process.uptime() * 1000);
    const found = await runChecks(SERVER_CHECKS, { ...context, startedAt }, signal);
    // A run that was cut off says nothing of the rest; the earlier one stands.
    if (!signal.aborted) await storeChecks(context.db, found, context.now());
  },
});
