import { paymentName, requestName } from '../../../contract/payments/payment-words.ts';
import type { About } from '../../records/record-event.ts';
import type { PaymentLineRow, PaymentRequestRow, PaymentRow } from './payment-request.queries.ts';

/** The only licence of a request; null if it has several, or the licence was deleted. */
function onlyLicense(lines: readonly PaymentLineRow[]): About['license'] {
  const [line, ...others] = lines;
  if (!line || others.length > 0 || line.license_id === null) return null;
  return { id: line.license_id, license_key: line.license_key };
}

/** The subject, client and licence in events of a request. */
export const aboutRequest = (
  { id, client_id, client_name }: Pick<PaymentRequestRow, 'id' | 'client_id' | 'client_name'>,
  lines: readonly PaymentLineRow[],
): About => ({
  subject: { id, name: requestName(id) },
  client: { id: client_id, name: client_name },
  license: onlyLicense(lines),
});

/** The subject, client and licence in events of a payment. */
export const aboutPayment = (
  { id, client_id, client_name }: Pick<PaymentRow, 'id' | 'client_id' | 'client_name'>,
  lines: readonly PaymentLineRow[],
): About => ({
  subject: { id, name: paymentName(id) },
  client: { id: client_id, name: client_name },
  license: onlyLicense(lines),
});
