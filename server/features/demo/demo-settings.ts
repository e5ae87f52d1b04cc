import type { Db } from '../../db/tables.ts';

/**
 * Turns reminders off in a demonstration whose settings nobody has changed: its clients do not exist (LIFE-08). A user
 * may turn them on.
 */
export async function turnOffReminders(db: Db): Promise<void> {
  await db
    .insertInto('settings')
    .values({
      id: 1,
      changed: JSON.stringify({ reminders_enabled: false }),
      updated_at: new Date(0).toISOString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
