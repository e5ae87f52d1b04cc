import type { z } from 'zod';
import type { License, LicenseRow, licenseBatch } from '../../../contract/licenses/licenses.ts';
import type { ActionFields } from '../../../contract/licenses/verbs/index.ts';
import type { SalePayment } from '../../../contract/payments/sale-payment.ts';
import { mustExist } from '../../lib/must-exist.ts';
import type { Scope } from '../../scope.ts';
import { addSeats } from '../licenses/add-seats.ts';
import { issueBatch, issueLicense, type NewLicenseValues } from '../licenses/issue-license.ts';
import { findLastSale, firstTermsOf } from '../licenses/license-terms.queries.ts';
import { renewLicense } from '../licenses/renew-license.ts';
import {
  notifyClient,
  queueBatchMail,
  queueLicenseMail,
  type SaleReceipt,
} from '../licenses/send-license-mail.ts';
import { recordSale } from '../payments/record-sale.ts';

/**
 * Sells a licence, or a term of it, and records its payment or asks for it in the same transaction (MONEY-05). Without
 * `payment` a sale is what features/licenses does alone. The mail comes last, because it says what was received.
 */

type WithPayment<Values> = Values & { payment?: SalePayment | undefined };

/** Records the payment of the last term of a licence. */
async function recordLastTerm(
  scope: Scope,
  license: License,
  payment: SalePayment,
  sold: { quantity?: number } = {},
): Promise<SaleReceipt | null> {
  const term = mustExist(await findLastSale(scope.tx, license.id), `term of license ${license.id}`);
  return recordSale(scope, payment, [{ license, term, ...sold }]);
}

/**
 * Issues a licence, with its payment if the call has one.
 * @throws as issueLicense and recordSale
 */
export async function sellLicense(
  scope: Scope,
  { payment, ...values }: WithPayment<NewLicenseValues>,
): Promise<License> {
  if (!payment) return issueLicense(scope, values);
  const license = await issueLicense(scope, values, { notify: false });
  const receipt = await recordLastTerm(scope, license, payment);
  return queueLicenseMail(scope, license, { receipt });
}

/**
 * Issues many licences, with one payment request for all of them if the call has a payment.
 * @throws as issueBatch and recordSale
 */
export async function sellBatch(
  scope: Scope,
  { payment, ...values }: z.output<typeof licenseBatch>,
): Promise<LicenseRow[]> {
  const licenses = await issueBatch(scope, values);
  let receipt: SaleReceipt | null = null;
  if (payment) {
    const termOf = await firstTermsOf(
      scope.tx,
      licenses.map(({ id }) => id),
    );
    receipt = await recordSale(
      scope,
      payment,
      licenses.map((license) => ({ license, term: termOf(license.id) })),
    );
  }
  await queueBatchMail(scope, licenses, receipt);
  return licenses;
}

/**
 * Renews a licence, with the payment of its new term if the call has one.
 * @throws as renewLicense and recordSale
 */
export async function sellRenewal(
  scope: Scope,
  id: number,
  { payment, ...fields }: ActionFields<'renew'>,
): Promise<License> {
  if (!payment) return renewLicense(scope, id, fields);
  const license = await renewLicense(scope, id, { ...fields, notify: false });
  const receipt = await recordLastTerm(scope, license, payment);
  return fields.notify
    ? notifyClient(scope, license, 'license_renewed', { reason: fields.reason, receipt })
    : license;
}

/**
 * Sells more seats of a licence, with their payment if the call has one.
 * @throws as addSeats and recordSale
 */
export async function sellSeats(
  scope: Scope,
  id: number,
  { payment, ...fields }: ActionFields<'add_seats'>,
): Promise<License> {
  if (!payment) return addSeats(scope, id, fields);
  const { notify, quantity } = fields;
  const license = await addSeats(scope, id, { ...fields, notify: false });
  const receipt = await recordLastTerm(scope, license, payment, { quantity });
  return notify
    ? notifyClient(scope, license, 'license_renewed', { seatsAdded: quantity, receipt })
    : license;
}
