import { addDays, localDay } from '../../../contract/base/time.ts';
import type { PayNotice } from '../../../contract/payments/pay-page.ts';
import type { NoticeDismissal } from '../../../contract/payments/payment-requests.ts';
import { PAY_MESSAGES, PAYMENT_LIMITS, PAYMENT_MESSAGES } from '../../../contract/payments/payment-words.ts';
import type { Changes } from '../../../contract/system/events.ts';
import type { AppContext } from '../../context.ts';
import type { PaymentRequestRow } from '../../db/tables.ts';
import { conflict, fault, invalid, notFound } from '../../errors.ts';
import { addressLimits } from '../../http/address-limits.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { countFailures, type Limited } from '../../limits/throttle.ts';
import { throttleKey } from '../../limits/throttle-key.ts';
import { record } from '../../records/record-event.ts';
import { stateAt } from '../../rules/open-requests.ts';
import { inScope, type Origin, type Scope } from '../../scope.ts';
import { aboutRequest, linesOf, lockRequest } from '../payment-requests/close-request.ts';
import { NO_NOTICE, noticeEnd, noticeOf, storeNotice } from '../payment-requests/transfer-notice.ts';

/** 'Ya hice la transferencia', and 'No llegó' (MONEY-11, docs/decisions/156-a-notice-proves-nothing.md). */

const HOUR_MS = 60 * 60_000;
const MASK = '•••';

/** How often a client may give notice: for a request, and from an address. */
const limitsOf = (request: number, ip: string): Limited[] => [
  {
    key: throttleKey('pay-notices', String(request)),
    limit: { failures: PAYMENT_LIMITS.noticesOfRequest, windowMs: 24 * HOUR_MS },
  },
  ...addressLimits('pay-notices-ip', ip, { failures: PAYMENT_LIMITS.noticesOfIp, windowMs: HOUR_MS }),
];

/** @throws invalid (400) on `paid_on` for a day that is later than today, or too long ago */
function requireRecent(paidOn: string, today: string): void {
  if (paidOn > today) throw invalid({ paid_on: [fault('out_of_range', PAY_MESSAGES.paidLater)] });
  if (paidOn < addDays(today, -PAYMENT_LIMITS.noticeDays)) {
    throw invalid({ paid_on: [fault('out_of_range', PAY_MESSAGES.paidLongAgo)] });
  }
}

/** @throws AppError 409 conflict */
function requireOpen(request: PaymentRequestRow, now: Date): void {
  if (stateAt(request, now) !== 'open') throw conflict(PAY_MESSAGES.notOpen);
}

/**
 * A client says that it transferred. The same notice again, as after a second press, changes nothing.
 * @param code the code of the page; a client may paste its address as the reference, which many people will read
 * @throws invalid (400) on `paid_on`, AppError 409 conflict if the request is not open, rateLimited (429)
 */
export async function giveNotice(
  context: AppContext,
  found: PaymentRequestRow,
  { reference: typed, paid_on }: PayNotice,
  { code, origin, ip }: { code: string; origin: Origin; ip: string },
): Promise<void> {
  const now = context.now();
  const today = localDay(now, context.config.timeZone);
  const paidOn = paid_on ?? today;
  const reference = typed.replaceAll(code, MASK);
  // What was only mistyped, or comes too late, uses up nothing.
  requireRecent(paidOn, today);
  requireOpen(found, now);
  await countFailures(context.db, limitsOf(found.id, ip), now);
  const actor = { kind: 'client', id: found.client_id, name: found.client_name } as const;
  await inScope(context, { actor, origin }, async (scope) => {
    const request = mustExist(await lockRequest(scope.tx, found.id), `payment request ${found.id}`);
    requireOpen(request, scope.now);
    const before = noticeOf(request);
    if (before?.reference === reference && before.paid_on === paidOn) return;
    await storeNotice(scope, request, {
      notice_at: scope.now.toISOString(),
      notice_reference: reference,
      notice_paid_on: paidOn,
      held_until: noticeEnd(request.expires_at, scope.timeZone),
    });
    await recordNotice(scope, request, { reference, paid_on: paidOn });
  });
}

/**
 * 'No llegó': a person answers a notice for which no money came in.
 * @throws notFound (404), AppError 409 conflict without a notice
 */
export async function dismissNotice(
  scope: Scope,
  id: number,
  { reason }: NoticeDismissal,
): Promise<PaymentRequestRow> {
  const request = await lockRequest(scope.tx, id);
  if (!request) throw notFound(PAYMENT_MESSAGES.notFound);
  if (noticeOf(request) === null) throw conflict(PAYMENT_MESSAGES.noNotice);
  const answered = await storeNotice(scope, request, NO_NOTICE);
  await recordNotice(scope, request, null, reason);
  return answered;
}

/** Writes the event of a notice, or of its dismissal: then its values are gone. */
async function recordNotice(
  scope: Scope,
  request: PaymentRequestRow,
  after: { reference: string; paid_on: string } | null,
  reason?: string,
): Promise<void> {
  const before = noticeOf(request);
  const changes: Changes = {
    paid_on: { before: before?.paid_on ?? null, after: after?.paid_on ?? null },
    reference: { before: before?.reference || null, after: after?.reference || null },
  };
  await record(scope, {
    type: 'payment_request.notified',
    ...aboutRequest(request, await linesOf(scope.tx, request.id)),
    changes: Object.fromEntries(Object.entries(changes).filter(([, one]) => one.before !== one.after)),
    ...(reason && { reason }),
  });
}
