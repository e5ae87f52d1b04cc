import { z } from 'zod';
import { coded, type FieldErrorCode, type FieldFaults } from '../base/field-errors.ts';
import { MONEY_MAX } from '../base/limits.ts';
import { hasTwoDecimals, NUMBER_MESSAGES } from '../base/numbers.ts';
import { whenMissing } from '../base/text.ts';

/**
 * A courtesy: a term that nobody pays for, with the price 0 (MONEY-09). It is a flag of the term, and of the licence by
 * its newest term. A price is 0 if and only if it is that of a courtesy.
 */

export const COMPLIMENTARY_MESSAGES = {
  hasPrice: 'Una cortesía no tiene precio: quita el precio, o quita la cortesía',
  hasPayment: 'Una cortesía no se cobra: quita el pago',
  stays: 'La licencia es una cortesía: para cobrarla, renuévala con un precio',
  notByEdit: 'La cortesía no se cambia al editar: renueva la licencia',
  next: 'La licencia es una cortesía: indica el precio, el tipo de licencia, o que sigue como cortesía',
} as const;

/** The price of a licence, at least 0; {@link priceFaults} says when it may be 0. Null gets `message` too. */
export const priceOrNothing = (message: string) =>
  z
    .number({ error: whenMissing(message) })
    .gte(0, message)
    .max(MONEY_MAX, NUMBER_MESSAGES.tooLarge)
    .refine(hasTwoDecimals, NUMBER_MESSAGES.decimals)
    .meta({ examples: [1200] });

/**
 * The errors of a price of at least 0: a courtesy has none, anything else has one.
 * @param message says that a price is above 0
 */
export function priceFaults(
  { price, complimentary = false }: { price?: number | undefined; complimentary?: boolean | undefined },
  message: string,
): FieldFaults {
  if (price === undefined || complimentary === (price === 0)) return {};
  return {
    price: [
      complimentary
        ? { code: 'not_allowed', message: COMPLIMENTARY_MESSAGES.hasPrice }
        : { code: 'out_of_range', message },
    ],
  };
}

/** The fields of a call, before they are checked. */
type Sent = { price?: unknown; complimentary?: unknown; payment?: unknown };

const rule = (
  field: keyof Sent,
  code: FieldErrorCode,
  message: string,
  isBroken: (sent: Sent) => boolean,
  // Checked together with the fields, so that the caller sees all errors at once.
  when: (checked: { issues: readonly unknown[] }) => boolean = () => true,
) =>
  z.refine((body) => !isBroken((body ?? {}) as Sent), {
    path: [field],
    ...coded(code, message),
    when,
  });

/** Nobody pays for a courtesy, so one with a payment (MONEY-05) contradicts itself. */
const unpaid = rule(
  'payment',
  'not_allowed',
  COMPLIMENTARY_MESSAGES.hasPayment,
  ({ complimentary, payment }) => complimentary === true && payment !== undefined && payment !== null,
);

/**
 * The rules of a new term about its price, as checks of a schema.
 * @param message says that a price is above 0
 * @param needsPrice whether all but a courtesy must have one
 */
export const priceRules = (message: string, { needsPrice }: { needsPrice: boolean }) =>
  [
    rule(
      'price',
      'required',
      message,
      ({ price, complimentary }) => needsPrice && complimentary !== true && price === undefined,
    ),
    rule(
      'price',
      'out_of_range',
      message,
      ({ price, complimentary }) => complimentary !== true && price === 0,
    ),
    rule(
      'price',
      'not_allowed',
      COMPLIMENTARY_MESSAGES.hasPrice,
      ({ price, complimentary }) => complimentary === true && typeof price === 'number' && price > 0,
    ),
    unpaid,
  ] as const;

/**
 * The rule of a change. Whether a price may be 0 is up to the licence, which the server asks ({@link priceFaults}); but
 * where other fields are wrong already, the call does not come that far, and all errors are answered at once.
 */
export const changedPriceRule = (message: string) =>
  rule(
    'price',
    'out_of_range',
    message,
    ({ price, complimentary }) => price === 0 && complimentary !== true,
    ({ issues }) => issues.length > 0,
  );
