import type { Selectable } from 'kysely';
import type { SystemAnswer } from '../../../../contract/system/system.ts';
import type { BackupPlanTable, Db } from '../../../db/tables.ts';
import type { CopyFile } from './copy-files.ts';

export type BackupPlan = Selectable<BackupPlanTable>;

const HOUR_MS = 3_600_000;

export const readPlan = (db: Db): Promise<BackupPlan | undefined> =>
  db.selectFrom('backup_plan').selectAll().executeTakeFirst();

/** Reads the plan, and creates it if there is none. Once an hour it stores that a server makes copies. */
export async function keepPlan(db: Db, now: Date): Promise<BackupPlan> {
  const at = now.toISOString();
  const plan = await readPlan(db);
  if (plan && Date.parse(plan.seen_at) > now.getTime() - HOUR_MS) return plan;
  await db
    .insertInto('backup_plan')
    .values({
      ...{ id: 1, since: at, seen_at: at, slot: null, attempted_at: null },
      ...{ last_tried_at: null, error: null, skipped_rows: null },
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: at }))
    .execute();
  return (await readPlan(db))!;
}

/**
 * Claims an attempt.
 * @returns false if another process has claimed it, even in the same millisecond: two attempts at the same moment
 * would have the same file name, and the second would remove the copy of the first
 */
export async function takeTry(db: Db, plan: BackupPlan, now: Date): Promise<boolean> {
  const at = now.toISOString();
  if (plan.attempted_at === at) return false;
  const { numUpdatedRows } = await db
    .updateTable('backup_plan')
    .set({ attempted_at: at })
    .where('id', '=', 1)
    .where('attempted_at', 'is not distinct from', plan.attempted_at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Stores a copy that was made and verified, and deletes earlier failures. */
export async function storeCopy(db: Db, copy: CopyFile, slot: string, now: Date): Promise<void> {
  const triedAt = now.toISOString();
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('backups').where('size', '=', 0).execute();
    const row = { ...copy, tried_at: triedAt, error: null };
    await tx
      .insertInto('backups')
      .values(row)
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute();
    await tx
      .updateTable('backup_plan')
      .set({ slot, last_tried_at: triedAt, error: null, skipped_rows: null })
      .execute();
  });
}

/** Stores why an attempt made no copy, in place of earlier failures. */
export async function storeFailure(
  db: Db,
  failed: { name: string; at: string; error: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('backups').where('size', '=', 0).execute();
    const { name, at, error } = failed;
    await tx
      .insertInto('backups')
      .values({ name, at, size: 0, tried_at: null, error })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ error }))
      .execute();
    await tx.updateTable('backup_plan').set({ error, skipped_rows: null }).execute();
  });
}

/** Stores that a database has too many rows for a copy. */
export async function storeSkip(db: Db, rows: number, slot: string): Promise<void> {
  await db.updateTable('backup_plan').set({ slot, error: null, skipped_rows: rows }).execute();
}

const CHANGED = 'El archivo cambió después de probarlo.';

/** Updates the rows to match the files, because somebody may have removed, added or changed some. */
export async function matchFiles(db: Db, files: readonly CopyFile[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const rows = await tx.selectFrom('backups').selectAll().where('size', '>', 0).execute();
    const there = new Map(files.map((file) => [file.name, file]));
    for (const row of rows) {
      const file = there.get(row.name);
      if (!file) await tx.deleteFrom('backups').where('name', '=', row.name).execute();
      else if (file.size !== row.size && row.error === null) {
        await tx.updateTable('backups').set({ error: CHANGED }).where('name', '=', row.name).execute();
      }
    }
    const known = new Set(rows.map(({ name }) => name));
    for (const file of files.filter(({ name, size }) => !known.has(name) && size > 0)) {
      await tx
        .insertInto('backups')
        .values({ ...file, tried_at: null, error: null })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  });
}

export async function forgetCopies(db: Db, names: readonly string[]): Promise<void> {
  if (names.length > 0) await db.deleteFrom('backups').where('name', 'in', names).execute();
}

/** The copies and the failed attempts, newest first. */
export const listBackups = (db: Db): Promise<SystemAnswer['backups']> =>
  db
    .selectFrom('backups')
    .select(['name', 'at', 'size', 'tried_at', 'error'])
    .orderBy('at', 'desc')
    .orderBy('name', 'desc')
    .execute();
