import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { moneyOrNothing, wholeNumber } from '../base/numbers.ts';
import { optionalLine } from '../base/text.ts';
import { paidInstant } from './paid-instant.ts';
import { MANUAL_METHODS, PAYMENT_LIMITS, PAYMENT_MESSAGES } from './payment-words.ts';

const paid = {
  method: z.enum(MANUAL_METHODS, PAYMENT_MESSAGES.method).optional(),
  reference: optionalLine(PAYMENT_LIMITS.reference).optional(),
  /** Default: now. */
  paid_at: paidInstant.optional(),
  /** What came in, with tax. Without it and `withheld`: all that is asked. */
  amount: moneyOrNothing(PAYMENT_MESSAGES.amount).optional(),
  /** What the client withheld as tax: it settles the request, and is not cash (MONEY-06). */
  withheld: moneyOrNothing(PAYMENT_MESSAGES.withheld).optional(),
};

const asked = {
  /** The request expires at the end of this local day. Default: 7. */
  expires_in_days: wholeNumber(
    PAYMENT_LIMITS.daysMin,
    PAYMENT_LIMITS.daysMax,
    PAYMENT_MESSAGES.days,
  ).optional(),
  /** Default: true. */
  notify: z.boolean().optional(),
};

type Sent = Record<string, unknown>;
const hasAny = (sent: Sent, names: object) =>
  Object.keys(names).some((name) => sent[name] !== undefined && sent[name] !== '');

/**
 * The field `payment` of what sells a term (MONEY-05): `{method, …}` when it was paid, `{request: true, …}` when it will
 * be. Either makes a payment request whose line is that term. It needs `payments:write` as well.
 */
export const salePayment = z
  .object({
    ...paid,
    request: z
      .literal(true, PAYMENT_MESSAGES.saleForm)
      .optional()
      .meta({ description: 'true: se cobra después / true: it is asked for later' }),
    ...asked,
  })
  .refine(
    ({ method, request }) => method !== undefined || request !== undefined,
    coded('required', PAYMENT_MESSAGES.saleForm),
  )
  .refine((sent) => !sent.request || !hasAny(sent, paid), coded('not_allowed', PAYMENT_MESSAGES.salePaid))
  .refine((sent) => sent.request || !hasAny(sent, asked), coded('not_allowed', PAYMENT_MESSAGES.saleAsked))
  .refine(
    ({ amount, withheld = 0 }) => amount === undefined || amount > 0 || withheld > 0,
    coded('out_of_range', PAYMENT_MESSAGES.nothingPaid),
  )
  .meta({ examples: [{ method: 'transfer', reference: 'SPEI 0042' }] });
export type SalePayment = z.output<typeof salePayment>;
