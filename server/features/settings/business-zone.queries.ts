import type { Db } from '../../db/tables.ts';

/** The zone in whose days the stored ends lie, and the zones of the servers that run (INPUT-17). */

/** The kept zone; undefined before the first start. */
export async function keptZone(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('business_zone').select('time_zone').where('id', '=', 1).executeTakeFirst();
  return row?.time_zone;
}

/** Keeps a zone in place of the one before. */
export async function keepZone(db: Db, time_zone: string): Promise<void> {
  await db
    .insertInto('business_zone')
    .values({ id: 1, time_zone })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ time_zone }))
    .execute();
}

/** The other zone of a server that runs now; undefined if all servers have this one. */
export async function otherRunningZone(db: Db, timeZone: string, now: Date): Promise<string | undefined> {
  const other = await db
    .selectFrom('running_servers')
    .select('time_zone')
    .where('time_zone', '!=', timeZone)
    .where('alive_until', '>', now.toISOString())
    .executeTakeFirst();
  return other?.time_zone;
}

/** Says that a server runs until `until`, and forgets those that stopped without saying so. */
export async function storeRunning(
  db: Db,
  { id, timeZone, until }: { id: string; timeZone: string; until: Date },
  now: Date,
): Promise<void> {
  const row = { time_zone: timeZone, alive_until: until.toISOString() };
  await db.deleteFrom('running_servers').where('alive_until', '<', now.toISOString()).execute();
  await db
    .insertInto('running_servers')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

export async function forgetRunning(db: Db, id: string): Promise<void> {
  await db.deleteFrom('running_servers').where('id', '=', id).execute();
}
