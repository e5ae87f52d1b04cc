import type { License } from '../../../contract/licenses/licenses.ts';
import { PAYMENT_MESSAGES } from '../../../contract/payments/payment-words.ts';
import type { EventType } from '../../../contract/system/events.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { AppError, soldAndPaid } from '../../errors.ts';
import { saveRecord } from '../../records/save-record.ts';
import { isPaidSale } from '../../rules/term-payments.ts';
import type { Scope } from '../../scope.ts';
import { typesOfChanges } from '../events/events.queries.ts';
import { cancelSales } from '../payment-requests/close-request.ts';
import { settleRenewed } from './courtesy-terms.ts';
import { licenseRecord } from './license.record.ts';
import { deleteTerm, findLastSale } from './license-terms.queries.ts';
import { updateLicense } from './licenses.queries.ts';

/** The events of what can be undone. */
const SALES: readonly EventType[] = ['license.renewed', 'license.seats_added'];

/**
 * Whether the last change of a licence is a sale: a renewal, or more seats. One that was undone is ignored, so several
 * can be undone one after another.
 */
async function endsInSale(scope: Scope, id: number): Promise<boolean> {
  let undone = 0;
  for await (const type of typesOfChanges(scope.tx, id)) {
    if (type === 'license.renewal_undone') undone += 1;
    else if (!SALES.includes(type)) return false;
    else if (undone === 0) return true;
    else undone -= 1;
  }
  return false;
}

/**
 * Undoes the last renewal, upgrade, maintenance or sale of seats: removes its term and restores the licence's values
 * (LIFE-02, SELL-02, MONEY-08). Its event must be the last one that changed the licence. So it is refused after a
 * transfer, a new key, a suspension (even if ended), an extension, and any save that changed a field, even the notes. It
 * is still possible after what leaves the licence's own fields unchanged: a seat taken or released, a mail, a reminder,
 * an offline file, a date that passed, a save that changed nothing. A sale whose event was deleted
 * (`event_retention_days`) cannot be undone.
 * @throws notFound (404), stale (412), AppError 409 not_undoable when the licence has changed since, or has no
 * renewal; has_payments when the renewal was paid at its sale and not refunded whole (MONEY-05)
 */
export function undoRenewal(scope: Scope, id: number): Promise<License> {
  const save = async (row: LicenseRecord, version: string) => {
    const term = await findLastSale(scope.tx, id);
    const isLast = term !== undefined && term.replaced !== null && (await endsInSale(scope, id));
    if (!isLast) throw new AppError(409, 'not_undoable');
    if (await isPaidSale(scope.tx, term.id)) throw soldAndPaid(PAYMENT_MESSAGES.undoPaid);
    await cancelSales(scope, ['term_id', term.id]);
    const { before }: { before: Partial<LicenseRecord> } = JSON.parse(term.replaced!);
    await updateLicense(scope.tx, id, before, version);
    await deleteTerm(scope.tx, term.id);
    if (row.complimentary || before.complimentary) await settleRenewed(scope.tx, id);
  };
  return saveRecord(scope, licenseRecord, id, save, { type: 'license.renewal_undone' });
}
