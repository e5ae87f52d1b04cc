import type { Kysely } from 'kysely';
import { writeSearchIndexesLate } from '../dialect.ts';

/** A new row no longer writes its part of the search index; rows that wait for it are searched as well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await writeSearchIndexesLate(db);
}
