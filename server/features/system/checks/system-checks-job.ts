import { defineRepeatedJob } from '../../../jobs/define-job.ts';
import { SERVER_CHECKS } from './all-checks.ts';
import { runChecks } from './run-checks.ts';
import { storeChecks } from './stored-checks.queries.ts';

const HOUR_MS = 3_600_000;

/** Checks the installation every hour, on one replica; immediately if somebody requests it (OPS-02). */
export const systemChecksJob = defineRepeatedJob({
  kind: 'system-checks',
  label: 'Comprobación del sistema',
  every: HOUR_MS,
  early: HOUR_MS,
  run: async (context, { signal }) => {
    const startedAt = new Date(context.now().getTime() - process.uptime() * 1000);
    const found = await runChecks(SERVER_CHECKS, { ...context, startedAt }, signal);
    // A run that was aborted is incomplete, so the findings of the earlier run stay.
    if (!signal.aborted) await storeChecks(context.db, found, context.now());
  },
});
