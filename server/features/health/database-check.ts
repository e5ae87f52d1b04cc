import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { within } from '../../lib/within.ts';

const DATABASE_TIMEOUT_MS = 2000;

/** Whether the database answers within two seconds; never rejects. */
export function isDatabaseUp(db: Db): Promise<boolean> {
  return within(DATABASE_TIMEOUT_MS, sql`select 1`.execute(db)).catch(() => false);
}
