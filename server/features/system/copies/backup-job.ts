import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { copiesToKeep, KEPT_COPIES, lastSlot } from '../../../../contract/system/backups.ts';
import type { BackupConfig } from '../../../config.ts';
import type { AppContext } from '../../../context.ts';
import type { CopyOutcome } from '../../../db/copies/copy-process.ts';
import { makeCopy } from '../../../db/copies/make-copy.ts';
import { databaseSizes } from '../../../db/diagnosis.ts';
import { engineOf } from '../../../db/open.ts';
import { defineRepeatedJob, type JobLog } from '../../../jobs/define-job.ts';
import { reasonOf } from '../../../lib/reason-of.ts';
import { BACKUP_JOB } from './backup-plan.ts';
import {
  type BackupPlan,
  forgetCopies,
  keepPlan,
  listBackups,
  matchFiles,
  storeCopy,
  storeFailure,
  storeSkip,
  takeTry,
} from './backups.queries.ts';
import { copyKey, copyName, draftOf, listCopies, prepareCopies, removeCopy } from './copy-files.ts';

const LOOK_MS = 60_000;
/** The wait after a failed attempt. */
const AGAIN_MS = 3_600_000;

/**
 * Makes the daily copy, verifies it, and removes old copies (OPS-03). Of several replicas, one that has BACKUP_DIR
 * does it. A scheduled time that passed while no server ran is caught up at the next start; so is the very first one.
 * A drill (OUTBOUND=0) makes no copies, because its BACKUP_DIR is that of the real copies.
 */
export const backupJob = defineRepeatedJob({
  kind: BACKUP_JOB,
  label: 'Copia de seguridad',
  every: LOOK_MS,
  runsHere: ({ backup, outbound }) => backup !== null && outbound,
  run: async (context, { signal, log }) => {
    const { config, db, now } = context;
    const { backup } = config;
    if (backup === null) return;
    const plan = await keepPlan(db, now());
    const slot = lastSlot(now(), backup.at, config.timeZone);
    if (!isDue(plan, slot, now()) || !(await takeTry(db, plan, now()))) return;
    await copyNow(context, backup, slot, { signal, log });
  },
});

function isDue(plan: BackupPlan, slot: string, now: Date): boolean {
  if (plan.slot !== null && plan.slot >= slot) return false;
  // An attempt that was interrupted left no error, and is repeated at once.
  const { error, attempted_at } = plan;
  return error === null || attempted_at === null || now.getTime() - Date.parse(attempted_at) >= AGAIN_MS;
}

type Way = { signal: AbortSignal; log: JobLog };

async function copyNow(
  context: AppContext,
  backup: BackupConfig,
  slot: string,
  { signal, log }: Way,
): Promise<void> {
  const { db, now } = context;
  const at = now();
  const name = copyName(at);
  const outcome = await outcomeOf(context, backup, name, signal);
  if (outcome.kind === 'skipped') {
    await storeSkip(db, outcome.rows, slot);
    log.warn(
      { rows: outcome.rows },
      'no se hizo la copia: la base de datos tiene más filas que BACKUP_ROWS_MAX',
    );
    return;
  }
  if (outcome.kind === 'failed') {
    removeCopy(backup, name);
    await storeFailure(db, { name, at: at.toISOString(), error: outcome.reason });
    log.error({ name, reason: outcome.reason }, 'no se pudo hacer la copia');
    return;
  }
  const { size, leftOut } = outcome;
  await storeCopy(db, { name, at: at.toISOString(), size }, slot, now());
  await removeOld(context, backup);
  log.info({ name, size, ...(leftOut.length > 0 && { leftOut }) }, 'copia hecha y probada');
}

async function outcomeOf(
  context: AppContext,
  backup: BackupConfig,
  name: string,
  signal: AbortSignal,
): Promise<CopyOutcome> {
  const { db, config } = context;
  const { dir } = backup;
  try {
    prepareCopies(dir);
    const { bavail, bsize } = statfsSync(dir);
    const { database, writeAheadLog } = await databaseSizes(db);
    // The copy may fill the disk of the database. PostgreSQL's size does not predict the size of a copy.
    if (writeAheadLog !== null && bavail * bsize < database) {
      return { kind: 'failed', reason: 'El disco de BACKUP_DIR está lleno: la copia no cabe.' };
    }
    // The key is copied first, so that no copy lacks its key.
    copyKey(backup, config, name);
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'failed', reason: plainReason(error) };
  }
  const rowsMax = config.backupRowsMax;
  const order = { engine: engineOf(config), draft: draftOf(dir, name), file: join(dir, name), rowsMax };
  return makeCopy(order, signal);
}

function plainReason(error: unknown): string {
  const { code, path } = error as { code?: unknown; path?: unknown };
  if (code === 'ENOSPC') return 'El disco de BACKUP_DIR está lleno.';
  if (typeof code === 'string' && typeof path === 'string') return `No se puede usar ${path} (${code}).`;
  return reasonOf(error);
}

/** Removes old copies. A damaged copy does not count as one of the copies to keep. */
async function removeOld({ db, config }: AppContext, backup: BackupConfig): Promise<void> {
  await matchFiles(db, listCopies(backup.dir));
  const copies = await listBackups(db);
  const sound = copies.filter(({ error }) => error === null);
  const kept = copiesToKeep(sound, config.timeZone);
  // A damaged copy is listed until this many newer copies are good.
  const seventh = sound[KEPT_COPIES.days - 1];
  const isOld = ({ name, at, error }: (typeof copies)[number]) =>
    error === null ? !kept.has(name) : seventh !== undefined && at < seventh.at;
  const old = copies.filter(isOld).map(({ name }) => name);
  for (const name of old) removeCopy(backup, name);
  await forgetCopies(db, old);
}
