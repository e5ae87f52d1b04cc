import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { isExpired } from '../../../contract/base/time.ts';
import { usableUntil } from '../../../contract/licenses/license-state.ts';
import type { Db, Tables } from '../../db/tables.ts';
import type { Scope } from '../../scope.ts';

/** The mails to a client: those with its id, and those about its licences without any client's id. */
export function mailsOfClient(
  db: Db,
  client: number,
): SelectQueryBuilder<Tables, 'outbox', Record<never, never>> {
  const own = db.selectFrom('licenses').select('id').where('client_id', '=', client);
  return db
    .selectFrom('outbox')
    .where((eb) =>
      eb.or([
        eb('client_id', '=', client),
        eb.and([eb('client_id', 'is', null), eb('license_id', 'in', own)]),
      ]),
    );
}

/**
 * The number of a client's licences that have not ended: not cancelled, and not past their end and grace. A suspended
 * licence counts, because it can be reinstated.
 */
export async function countHoldingLicenses({ tx, now, timeZone }: Scope, client: number): Promise<number> {
  const rows = await tx
    .selectFrom('licenses')
    .select(['expiry_date', 'grace_days'])
    .where('client_id', '=', client)
    .where('status', 'not in', ['cancelled', 'expired'])
    .execute();
  return rows.filter((row) => !isExpired(usableUntil(row, timeZone), now)).length;
}

/** Rows whose column contains one of the words in JSON form; the caller then checks each row. */
export function mentions(column: string, words: readonly string[]) {
  const patterns = words
    .filter((word) => word !== '')
    .map(
      (word) =>
        `%${JSON.stringify(word)
          .slice(1, -1)
          .replace(/[\\%_]/g, '\\$&')}%`,
    );
  if (patterns.length === 0) return sql<SqlBool>`1 = 0`;
  const found = patterns.map((pattern) => sql`${sql.ref(column)} like ${pattern} escape '\\'`);
  return sql<SqlBool>`(${sql.join(found, sql` or `)})`;
}
