import { sql } from 'kysely';
import type { Db } from './tables.ts';

/**
 * Runs a part of a transaction whose failure takes back this part alone.
 * @returns what `work` returns
 * @throws what `work` throws; the database's error where the connection was lost
 */
export async function inSavepoint<Result>(tx: Db, work: () => Promise<Result>): Promise<Result> {
  await sql`savepoint part`.execute(tx);
  try {
    const result = await work();
    await sql`release savepoint part`.execute(tx);
    return result;
  } catch (error) {
    await sql`rollback to savepoint part`.execute(tx);
    await sql`release savepoint part`.execute(tx);
    throw error;
  }
}
