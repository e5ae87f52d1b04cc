import { paymentName, requestName } from '../../../contract/payments/payment-words.ts';
import type { About } from '../../records/record-event.ts';
import type { PaymentLineRow, PaymentRequestRow, PaymentRow } from './payment-request.queries.ts';

/** The one licence of a request; null where it has several, or the licence is gone. */
function onlyLicense(lines: readonly PaymentLineRow[]): About['license'] {
  const [line, ...others] = lines;
  if (!line || others.length > 0 || line.license_id === null) return null;
  return { id: line.license_id, license_key: line.license_key };
}

/** What the events of a request are about. */
export const aboutRequest = (
  { id, client_id, client_name }: Pick<PaymentRequestRow, 'id' | 'client_id' | 'client_name'>,
  lines: readonly PaymentLineRow[],
): About => ({
  subject: { id, name: requestName(id) },
  client: { id: client_id, name: client_name },
  license: onlyLicense(lines),
});

/** What the events of a payment are about. */
export const aboutPayment = (
  { id, client_id, client_name }: Pick<PaymentRow, 'id' | 'client_id' | 'client_name'>,
  lines: readonly PaymentLineRow[],
): About => ({
  subject: { id, name: paymentName(id) },
  client: { id: client_id, name: client_name },
  license: onlyLicense(lines),
});
