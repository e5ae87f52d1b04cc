import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { isExpired } from '../../../contract/base/time.ts';
import { usableUntil } from '../../../contract/licenses/license-state.ts';
import type { Db, Tables } from '../../db/tables.ts';
import type { Scope } from '../../scope.ts';

/** The mails to a client: those that name it, and those about its licences that name no client. */
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
 * The licences of a client that have not ended: not cancelled, and not past their date and its grace. A suspended one
 * may be reinstated.
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

/** Rows in whose column a word stands as JSON writes it; they are looked at one by one. */
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
