import { isAmong } from '../db/dialect.ts';
import { prepared } from '../db/prepared.ts';
import type { Db } from '../db/tables.ts';

const paid = prepared((db, { ids }: { ids: number[] }) =>
  db
    .selectFrom('payment_lines')
    .innerJoin('payments', 'payments.request_id', 'payment_lines.request_id')
    .select('payment_lines.license_id')
    .distinct()
    .where((eb) => isAmong(db, eb.ref('payment_lines.license_id').$castTo<number>(), ids))
    .where('payments.is_test', '=', false)
    .where((eb) =>
      eb.or([
        eb.and([
          eb('payments.state', '=', 'approved'),
          eb.or([
            eb('payments.refunded_cents', '<', eb.ref('payments.amount_cents')),
            eb('payments.withheld_cents', '>', 0),
          ]),
        ]),
        // After a chargeback that the vendor won, the money is there again.
        eb.and([eb('payments.state', '=', 'charged_back'), eb('payments.dispute', '=', 'won')]),
      ]),
    ),
);

/**
 * The licences for which the vendor has money: a payment on a line of theirs is approved, if only with a withheld tax.
 * Tests do not count, nor what was refunded whole or charged back. None of these licences is deleted, because the payment
 * would stay without what it paid, and the income of past months would change (INPUT-18).
 *
 * Every payment is stored under the lock of its licences (features/payments/payment-rows.ts), so for licences that the
 * caller has locked the answer holds until the transaction ends.
 */
export async function paidAmong(db: Db, licenses: number[]): Promise<Set<number>> {
  if (licenses.length === 0) return new Set();
  const rows = await paid(db, { ids: licenses });
  return new Set(rows.flatMap(({ license_id }) => license_id ?? []));
}
