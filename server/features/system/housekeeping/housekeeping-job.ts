import { engineOf } from '../../../db/open.ts';
import { removeDrafts } from '../../../db/restore-steps.ts';
import { removeScratchFolders } from '../../../db/scratch-folder.ts';
import { deletePastKeys } from '../../../http/idempotency.ts';
import { defineRepeatedJob } from '../../../jobs/define-job.ts';
import { deletePastWindows } from '../../../limits/throttle.ts';
import { deletePastBulkJobs } from '../../bulk/bulk.queries.ts';
import { deletePastMarks } from '../../desk/today/today-marks.queries.ts';
import { deletePastChanges } from '../../imports/import-changes.ts';
import { deletePastImports } from '../../imports/imports.queries.ts';
import { deletePastReads } from '../../notifications/notification-reads.queries.ts';
import { deletePastNotifications } from '../../payments/take-notification.ts';
import { deletePastLinks } from '../../people/account/user-links.ts';
import { deletePastIdentities } from '../../people/oidc/oidc-tokens.ts';
import { deletePastUsedChallenges } from '../../people/passkeys/challenges.ts';
import { deletePastChallenges } from '../../people/second-factor/sign-in-challenge.ts';
import { deletePastSessions } from '../../people/sign-in/auth.queries.ts';
import { deletePastPortal } from '../../portal/portal-sessions.queries.ts';
import { deletePastChecks } from '../../programs/checks/checks.queries.ts';
import { deletePastNames } from '../../programs/machine-names.ts';
import { deletePastSigningKeys } from '../../programs/signing/signing-keys.queries.ts';
import { removeUnusedTags } from '../../tags/settle-tags.ts';
import { deletePastUsage } from '../../usage/past-usage.queries.ts';
import { tidyDeliveries } from '../../webhooks/deliveries.queries.ts';

/**
 * Deletes expired data: sessions, tokens, counters, stored answers, jobs, read marks of notifications, marks of 'Para hoy',
 * signing keys, checks of programs, spellings of tags; and the files of restores that were killed.
 */
export const housekeepingJob = defineRepeatedJob({
  kind: 'housekeeping',
  label: 'Limpieza',
  every: 10 * 60_000,
  run: async ({ forLongWork: db, now, config }) => {
    await deletePastSessions(db, now());
    await deletePastChallenges(db, now());
    await deletePastUsedChallenges(db, now());
    await deletePastLinks(db, now());
    await deletePastIdentities(db, now());
    await deletePastPortal(db, now());
    await deletePastWindows(db, now());
    await deletePastKeys(db, now());
    await deletePastBulkJobs(db, now());
    await deletePastChanges(db, now());
    await deletePastImports(db, now());
    await deletePastNotifications(db, now());
    await deletePastReads(db, now());
    await deletePastMarks(db, now(), config.timeZone);
    await deletePastSigningKeys(db, now());
    await deletePastChecks(db, now(), config.timeZone);
    await deletePastNames(db, now(), config.timeZone);
    await tidyDeliveries(db, now());
    await deletePastUsage(db, now());
    await db.transaction().execute(removeUnusedTags);
    removeScratchFolders(now());
    const engine = engineOf(config);
    if (engine.kind === 'sqlite') removeDrafts(engine.file);
  },
});
