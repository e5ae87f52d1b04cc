import { sql } from 'kysely';
import type { Db } from './tables.ts';

/**
 * Runs a part of a transaction; if it fails, only this part is rolled back.
 * @returns what `work` returns
 * @throws what `work` throws; the database's error if the connection was lost
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
