import { setImmediate as letOthersRun } from 'node:timers/promises';
import { sql } from 'kysely';
import type { LicenseBulkPreview } from '../../../contract/licenses/license-bulk.ts';
import {
  actionRefusal,
  type BulkLifeAction,
  isTrial,
  LIFECYCLE_MESSAGES,
  type RenewalKind,
} from '../../../contract/licenses/license-lifecycle.ts';
import {
  LICENSE_MESSAGES,
  type LicenseCategory,
  type LicenseStatus,
} from '../../../contract/licenses/licenses.fields.ts';
import { isAmong } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';

/** The number of licences that one statement counts; other requests run between two statements. */
const AT_ONCE = 5000;

type Refused = LicenseBulkPreview['refused'][number];

/**
 * How many licences an action would change, and why it would refuse the others, by the guards of the action
 * (LIFE-06). Obstacles that only the action itself can find, such as a concurrent change, are reported by the action.
 * @param hasType whether a renewal contains a licence type, without which no trial is renewed; `kind` is the kind of
 * renewal
 */
export async function previewBulk(
  db: Db,
  ids: readonly number[],
  action: BulkLifeAction,
  { hasType, kind = 'renewal' }: { hasType: boolean; kind?: RenewalKind | undefined },
): Promise<LicenseBulkPreview> {
  const refused = new Map<string, Refused>();
  const refuse = (code: Refused['code'], message: string, count: number) => {
    const known = refused.get(message);
    refused.set(message, { code, message, count: (known?.count ?? 0) + count });
  };
  let found = 0;
  let possible = 0;
  let machines = 0;
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    for (const { count, machines: own, ...license } of await countAlike(
      db,
      ids.slice(start, start + AT_ONCE),
    )) {
      found += count;
      const refusal = actionRefusal(action, license, kind);
      if (refusal) refuse(refusal.code, refusal.message, count);
      else if (action === 'renew' && kind === 'renewal' && !hasType && isTrial(license)) {
        refuse('invalid', LIFECYCLE_MESSAGES.typeForTrial, count);
      } else {
        possible += count;
        machines += Number(own);
      }
    }
    await letOthersRun();
  }
  if (found < ids.length) refuse('not_found', LICENSE_MESSAGES.notFound, ids.length - found);
  const reasons = [...refused.values()].sort((a, b) => b.count - a.count);
  return { total: ids.length, possible, machines, refused: reasons };
}

type Alike = {
  status: LicenseStatus;
  license_type: LicenseCategory;
  expiry_date: string | null;
  updates_until: string | null;
  activate_by: string | null;
  count: number;
  /** The number of machines on all of them; PostgreSQL returns a sum as text. */
  machines: number | string;
};

/**
 * Groups of licences that are equal for the guards, with their number. Of end, days of updates and start only the
 * presence matters.
 */
function countAlike(db: Db, ids: number[]): Promise<Alike[]> {
  return db
    .selectFrom('licenses')
    .where((eb) => isAmong(db, eb.ref('licenses.id'), ids))
    .select((eb) => [
      'status',
      'license_type',
      eb.fn.max('expiry_date').as('expiry_date'),
      eb.fn.max('updates_until').as('updates_until'),
      eb.fn.max('activate_by').as('activate_by'),
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number | string>('current_installations').as('machines'),
    ])
    .groupBy([
      'status',
      'license_type',
      sql`expiry_date is null`,
      sql`updates_until is null`,
      sql`activate_by is null`,
    ])
    .execute();
}
