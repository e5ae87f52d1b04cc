import { makesCopies, nextSlot } from '../../../../contract/system/backups.ts';
import type { SystemAnswer } from '../../../../contract/system/system.ts';
import type { AppContext } from '../../../context.ts';
import { mayMakeCopies } from '../../../rules/may-make-copies.ts';
import { type BackupPlan, readPlan } from './backups.queries.ts';

/** The kind of the job that makes copies. Its row stays in the table even if BACKUP_DIR was removed. */
export const BACKUP_JOB = 'backup';

type Asked = Pick<AppContext, 'config' | 'db' | 'now'>;

/** The state of the program's scheduled copies; null if it makes none. */
export async function currentPlan({ config, db, now }: Asked): Promise<BackupPlan | null> {
  if (!mayMakeCopies(config)) return null;
  const plan = await readPlan(db);
  return plan && makesCopies(plan, now()) ? plan : null;
}

/** The plan in an answer. Only a replica with BACKUP_DIR knows the scheduled time. */
export function shownPlan(
  { last_tried_at, error, skipped_rows }: BackupPlan,
  { config, now }: Asked,
): NonNullable<SystemAnswer['backup_plan']> {
  const at = config.backup?.at ?? null;
  return {
    local_time: at,
    next_at: at === null ? null : nextSlot(now(), at, config.timeZone),
    last_tried_at,
    error: skipped_rows === null ? error : skippedText(skipped_rows),
  };
}

export const skippedText = (rows: number): string =>
  `La base de datos tiene ${rows.toLocaleString('es-MX')} filas, más que BACKUP_ROWS_MAX: el programa no la copia. Usa las copias de su servicio.`;
