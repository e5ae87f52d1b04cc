import type { LicenseTerm } from '../../../contract/licenses/license-lifecycle.ts';
import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import { request } from '../../api/http.ts';
import { apiOf } from '../../record-kinds.ts';
import { salePaymentTexts as texts } from '../../text/es-sale-payment.ts';
import { copyText } from '../../ui/copy-text.ts';
import { type ToastAction, toasts } from '../../ui/toasts.ts';
import type { SalePaymentValues } from './sale-payment.ts';

/** The payment request of the newest term of a licence; null if it has none. */
export async function requestOfSale(license: number, signal?: AbortSignal): Promise<PaymentRequest | null> {
  const asked = signal === undefined ? {} : { signal };
  const terms = `${apiOf('licenses', license)}terms/`;
  const { results } = await request<{ results: LicenseTerm[] }>('GET', terms, asked);
  const id = results[0]?.payment.request ?? null;
  return id === null ? null : request<PaymentRequest>('GET', apiOf('payment_requests', id), asked);
}

/**
 * What the message after a renewal with a payment says and offers: the link on which the rest is paid, to copy. The
 * renewal cannot be undone while its money is there, so that is not offered.
 */
export function afterPaidSale(
  { form }: SalePaymentValues,
  license: number,
): { note: string; action?: ToastAction } {
  if (form === 'paid') return { note: texts.noted };
  // Asked for at once, because a browser copies only right after the press.
  const asked = requestOfSale(license).catch(() => null);
  const copy = async () => {
    const made = await asked;
    if (made !== null && (await copyText(made.url))) toasts.success(texts.copied);
    else toasts.error(texts.copyFailed);
  };
  return { note: texts.askedFor, action: { label: texts.copyLink, run: () => void copy() } };
}
