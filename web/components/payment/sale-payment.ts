import type { Currency } from '../../../contract/base/money.ts';
import { localDay } from '../../../contract/base/time.ts';
import { type MANUAL_METHODS, PAYMENT_LIMITS } from '../../../contract/payments/payment-words.ts';
import { numberOf } from '../../../contract/reading/numbers.ts';
import { businessTimeZoneInUse, vendorCurrency } from '../../text/format.ts';
import { paidAtOf } from './paid-at.ts';

/** The typed payment of a sale (MONEY-05). Its fields are in sale-payment-fields.tsx. */
export interface SalePaymentValues {
  form: 'none' | 'paid' | 'asked';
  method: (typeof MANUAL_METHODS)[number];
  reference: string;
  /** Blank: today. */
  paid_on: string;
  amount: string;
  withheld: string;
  /** The currency of the typed amounts, as shown beside them when they were typed. */
  unit: Currency | null;
  expires: string;
  notify: boolean;
}

export const NO_SALE_PAYMENT: SalePaymentValues = {
  form: 'none',
  // What most pay with; it stands in the form.
  method: 'transfer',
  reference: '',
  paid_on: '',
  amount: '',
  withheld: '',
  unit: null,
  expires: String(PAYMENT_LIMITS.daysDefault),
  notify: true,
};

/** The field `payment` of the request that sells; empty if nothing is noted. */
export function salePaymentBody(values: SalePaymentValues): { payment?: object } {
  const { form, method, reference, paid_on, unit, notify } = values;
  if (form === 'none') return {};
  if (form === 'asked') {
    const expires_in_days = numberOf(values.expires, 'count') ?? undefined;
    return { payment: { request: true, notify, ...(expires_in_days !== undefined && { expires_in_days }) } };
  }
  const money = (text: string) => numberOf(text, unit ?? vendorCurrency()) ?? undefined;
  const [amount, withheld] = [money(values.amount), money(values.withheld)];
  return {
    payment: {
      method,
      reference,
      ...paidAtOf(paid_on, localDay(new Date(), businessTimeZoneInUse())),
      ...(amount !== undefined && { amount }),
      ...(withheld !== undefined && { withheld }),
    },
  };
}
