import { z } from 'zod';
import { readClamped, readWholeNumber } from '../reading/whole-numbers.ts';
import { coded } from './field-errors.ts';
import {
  COUNT_MAX,
  DISCOUNT_MAX,
  DISCOUNT_MIN,
  GRACE_DAYS_MAX,
  MONEY_MAX,
  OFFLINE_DAYS_MAX,
  UPDATES_DAYS_MAX,
  VALIDITY_MONTHS_MAX,
} from './limits.ts';
import { CURRENCIES, MONEY_MESSAGES } from './money.ts';
import { whenMissing } from './text.ts';

export const NUMBER_MESSAGES = {
  decimals: 'Usa como máximo dos decimales',
  tooLarge: 'El número es demasiado grande',
  discount: 'El descuento debe estar entre 0 y 100%',
  grace: `Los días de gracia deben ser un número entero entre 0 y ${GRACE_DAYS_MAX}`,
  offline: `Los días sin conexión deben ser un número entero entre 0 y ${OFFLINE_DAYS_MAX}`,
  updates: `Los días de actualizaciones deben ser un número entero entre 1 y ${UPDATES_DAYS_MAX}`,
  months: `Los meses deben ser un número entero entre 1 y ${VALIDITY_MONTHS_MAX} (10 años)`,
  reference: 'Selecciona un elemento válido',
  limit: (most: number) => `Indica un número entero entre 1 y ${most}`,
} as const;

/** True when the amount has at most two decimals. Floating-point error (0.1 + 0.2) is ignored at any magnitude. */
export const hasTwoDecimals = (amount: number) =>
  Math.abs(amount - Math.round(amount * 100) / 100) <= 4 * Number.EPSILON * Math.abs(amount);

/** An amount above 0 with at most two decimals; missing, zero and negative values get `message`. */
export const positiveMoney = (message: string) =>
  z
    .number({ error: whenMissing(message) })
    .gt(0, message)
    .max(MONEY_MAX, NUMBER_MESSAGES.tooLarge)
    .refine(hasTwoDecimals, NUMBER_MESSAGES.decimals)
    .meta({ examples: [1200] });

/** An amount of at least 0 with at most two decimals; negative values get `message`. */
export const moneyOrNothing = (message: string) =>
  z
    .number()
    .min(0, message)
    .max(MONEY_MAX, NUMBER_MESSAGES.tooLarge)
    .refine((amount) => !Object.is(amount, -0), coded('out_of_range', message))
    .refine(hasTwoDecimals, NUMBER_MESSAGES.decimals)
    .meta({ examples: [1200] });

/** One of the supported currencies (MONEY-01). */
export const currencyCode = z.enum(CURRENCIES, MONEY_MESSAGES.currency);

/** A whole number of at least 1; missing, zero and negative values get `message`. */
export const positiveCount = (message: string, max = COUNT_MAX) =>
  z
    .number({ error: whenMissing(message) })
    .int()
    .gt(0, message)
    .max(max, NUMBER_MESSAGES.tooLarge);

/** A whole number from `least` to `most`; any other value gets `message`. */
export const wholeNumber = (least: number, most: number, message: string) =>
  z.number(message).int(message).min(least, message).max(most, message);

/** Days after the end of a licence during which programs keep working, 0 to 365 (LIFE-13). */
export const graceDays = wholeNumber(0, GRACE_DAYS_MAX, NUMBER_MESSAGES.grace);

/**
 * Days for which a program trusts its last signed answer, 0 to 365. With 0 it needs the server every time (PROG-03).
 */
export const offlineDays = wholeNumber(0, OFFLINE_DAYS_MAX, NUMBER_MESSAGES.offline);

/** Days of updates, 1 to 36,525 (SELL-02). */
export const updatesDays = wholeNumber(1, UPDATES_DAYS_MAX, NUMBER_MESSAGES.updates);

/** The length of a term in months, 1 to 120 (MONEY-10). */
export const monthCount = wholeNumber(1, VALIDITY_MONTHS_MAX, NUMBER_MESSAGES.months);

/** A percentage between 0 and 100 with at most two decimals (SEED-9-06). */
export const discount = z
  .number()
  .min(DISCOUNT_MIN, NUMBER_MESSAGES.discount)
  .max(DISCOUNT_MAX, NUMBER_MESSAGES.discount)
  .refine((value) => !Object.is(value, -0), coded('out_of_range', NUMBER_MESSAGES.discount))
  .refine(hasTwoDecimals, NUMBER_MESSAGES.decimals);

export const recordId = z
  .number(NUMBER_MESSAGES.reference)
  .int(NUMBER_MESSAGES.reference)
  .positive(NUMBER_MESSAGES.reference)
  .meta({ examples: [1] });

/**
 * Reads a whole number from text, as an address sends it. Text that is no whole number stays text, so the schema refuses
 * it like any value of a wrong type.
 */
export const writtenNumber = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' ? (readWholeNumber(value) ?? value) : value), schema);

/**
 * How many records an answer has at most, in an address. One out of range is brought into it, as with page_size (D045).
 * @param usual without the parameter
 */
export const writtenLimit = (most: number, usual: number) =>
  z
    .string()
    .transform((text, context) => {
      const limit = readClamped(text, 1, most);
      if (limit !== null) return limit;
      context.addIssue(NUMBER_MESSAGES.limit(most));
      return z.NEVER;
    })
    .prefault(String(usual));

/** The id of a record in an address. */
export const writtenId = writtenNumber(recordId);

/**
 * A reference to a record: its id, or an object with an `id`, for example a record from an answer. Other fields of the
 * object are ignored (D092).
 */
export const reference = (missing: string) =>
  z
    .union([recordId, z.object({ id: recordId }).loose()], {
      error: (issue) =>
        issue.input === undefined || issue.input === null || issue.input === ''
          ? missing
          : NUMBER_MESSAGES.reference,
    })
    .transform((value) => (typeof value === 'number' ? value : value.id));
