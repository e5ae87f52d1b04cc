import { actionRefusal } from '../../../contract/licenses/verbs/index.ts';
import { CHARGEBACK_REASON } from '../../../contract/payments/payment-words.ts';
import type { Changes } from '../../../contract/system/events.ts';
import type { PaymentRow } from '../../db/tables.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { record } from '../../records/record-event.ts';
import { nextVersion } from '../../records/version.ts';
import type { Scope } from '../../scope.ts';
import { licenseRecord } from '../licenses/license.record.ts';
import { suspendLicense } from '../licenses/suspend-license.ts';
import { readGeneral } from './payment-accounts.ts';
import {
  aboutPayment,
  type LockedRequest,
  licensesOf,
  lockPayment,
  lockRequestWithLines,
} from './payment-rows.ts';
import { amountOf } from './payments.queries.ts';
import { laterDispute } from './report-outcome.ts';

/** Money that goes back, or is disputed: its events, and the licences that were paid with it (PAY-06). */

/** A stored payment before and after a report. */
type Change = { before: PaymentRow | undefined; after: PaymentRow };

/** The change of the state, if it changed, for the events of a payment. */
const stateChange = ({ before, after }: Change): Changes =>
  before?.state === after.state ? {} : { state: { before: before?.state ?? null, after: after.state } };

/** Writes the event that money was refunded. */
export async function recordRefund(scope: Scope, { lines }: LockedRequest, change: Change): Promise<void> {
  const { before, after } = change;
  const inWords = (cents: number) => amountOf(cents, after.currency);
  await record(scope, {
    type: 'payment.refunded',
    ...aboutPayment(after, lines),
    changes: {
      refunded_amount: {
        before: inWords(before?.refunded_cents ?? 0),
        after: inWords(after.refunded_cents),
      },
      ...stateChange(change),
    },
  });
}

/**
 * Writes the event that money is disputed, or how that ended. For a chargeback it suspends the paid licences if the
 * vendor has chosen that.
 */
export async function recordDispute(scope: Scope, locked: LockedRequest, change: Change): Promise<void> {
  const { before, after } = change;
  await record(scope, {
    type: 'payment.disputed',
    ...aboutPayment(after, locked.lines),
    changes: {
      ...stateChange(change),
      dispute: { before: before?.dispute ?? null, after: after.dispute },
    },
  });
  const isChargeback = after.state === 'charged_back' && before?.state !== 'charged_back';
  if (!isChargeback || locked.request.applied_at === null) return;
  const { on_chargeback } = await readGeneral(scope.tx);
  if (on_chargeback === 'suspend') await suspendLines(scope, locked);
}

/**
 * Suspends the licences of a request where possible; a licence that was transferred to another client is not changed.
 */
async function suspendLines(scope: Scope, { request, lines }: LockedRequest): Promise<void> {
  const ids = licensesOf(lines);
  if (ids.length === 0) return;
  for (const license of await licenseRecord.lock(scope.tx, ids)) {
    if (license.client_id !== request.client_id || actionRefusal('suspend', license)) continue;
    const free = { ...scope, expected: null };
    await suspendLicense(free, license.id, { reason: CHARGEBACK_REASON, notify: false });
  }
}

/** Stores how a dispute ended, as reported by a signed notification; licences are not reinstated automatically. */
export async function endDispute(
  scope: Scope,
  payment: Pick<PaymentRow, 'id' | 'request_id'>,
  dispute: 'won' | 'lost',
): Promise<void> {
  const locked = mustExist(
    await lockRequestWithLines(scope, payment.request_id),
    `request ${payment.request_id}`,
  );
  const before = await lockPayment(scope.tx, payment.id);
  if (!before || laterDispute(before.dispute, dispute) === before.dispute) return;
  const updated_at = nextVersion(before.updated_at, scope.now);
  await scope.tx.updateTable('payments').set({ dispute, updated_at }).where('id', '=', before.id).execute();
  await recordDispute(scope, locked, { before, after: { ...before, dispute } });
}
