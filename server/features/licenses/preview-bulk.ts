import { setImmediate as letOthersRun } from 'node:timers/promises';
import { COMPLIMENTARY_MESSAGES } from '../../../contract/licenses/complimentary.ts';
import type { LicenseBulkPreview } from '../../../contract/licenses/license-bulk.ts';
import { isTrial } from '../../../contract/licenses/license-lifecycle.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import { type RenewalKind, STATE_COLUMNS } from '../../../contract/licenses/verbs/definition.ts';
import { actionRefusal, type BulkLifeAction } from '../../../contract/licenses/verbs/index.ts';
import { RENEWAL_MESSAGES } from '../../../contract/licenses/verbs/renew.ts';
import { isAmong } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { statesFor } from './license-actions.ts';

/** The number of licences that one statement reads; other requests run between two statements. */
const AT_ONCE = 2000;

type Refused = LicenseBulkPreview['refused'][number];

/**
 * How many licences an action would change, and why it would refuse the others, by the guards of the action
 * (LIFE-06). Obstacles that only the action itself can find, such as a concurrent change, are reported by the action.
 * @param hasType whether a renewal contains a licence type, without which no trial is renewed; `hasPrice` whether it says
 * the price of what follows a courtesy; `kind` is the kind of renewal
 */
export async function previewBulk(
  db: Db,
  now: Date,
  ids: readonly number[],
  action: BulkLifeAction,
  {
    hasType,
    hasPrice,
    kind = 'renewal',
  }: { hasType: boolean; hasPrice: boolean; kind?: RenewalKind | undefined },
): Promise<LicenseBulkPreview> {
  const refused = new Map<string, Refused>();
  const refuse = (code: Refused['code'], message: string, count = 1) => {
    const known = refused.get(message);
    refused.set(message, { code, message, count: (known?.count ?? 0) + count });
  };
  let found = 0;
  let possible = 0;
  let machines = 0;
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const part = ids.slice(start, start + AT_ONCE);
    const rows = await db
      .selectFrom('licenses')
      .where((eb) => isAmong(db, eb.ref('licenses.id'), part))
      .select(['id', ...STATE_COLUMNS])
      .execute();
    found += rows.length;
    for (const license of await statesFor({ tx: db, now }, action, rows)) {
      const refusal = actionRefusal(action, license, kind);
      if (refusal) refuse(refusal.code, refusal.message);
      else if (action === 'renew' && kind === 'renewal' && !hasType && isTrial(license)) {
        refuse('invalid', RENEWAL_MESSAGES.typeForTrial);
      } else if (action === 'renew' && kind === 'renewal' && !hasPrice && license.complimentary) {
        refuse('invalid', COMPLIMENTARY_MESSAGES.next);
      } else {
        possible += 1;
        machines += license.current_installations;
      }
    }
    await letOthersRun();
  }
  if (found < ids.length) refuse('not_found', LICENSE_MESSAGES.notFound, ids.length - found);
  const reasons = [...refused.values()].sort((a, b) => b.count - a.count);
  return { total: ids.length, possible, machines, refused: reasons };
}
