import type { SystemCheck } from '../../../../contract/system/system.ts';
import { CHECK_IDS } from '../../../../contract/system/system.ts';
import type { Db } from '../../../db/tables.ts';
import type { Found } from './run-checks.ts';

/** Replaces the findings of the last run. */
export async function storeChecks(db: Db, found: readonly Found[], at: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('system_checks').execute();
    if (found.length === 0) return;
    await tx
      .insertInto('system_checks')
      .values(found.map((check) => ({ ...check, checked_at: at.toISOString() })))
      .execute();
  });
}

/** The findings of the last run, in the order in which they are shown; they may come from an earlier version. */
export async function listChecks(db: Db): Promise<SystemCheck[]> {
  const rows = await db.selectFrom('system_checks').selectAll().execute();
  const place = ({ id }: { id: string }) => (CHECK_IDS as string[]).indexOf(id);
  return rows.sort((a, b) => place(a) - place(b));
}
