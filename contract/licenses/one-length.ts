import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { LICENSE_MESSAGES } from './licenses.fields.ts';

/** Whether a body gives a length twice. It accepts any shape, because it may run before the fields are validated. */
export function hasTwoLengths(body: unknown): boolean {
  const { expiry_months = null, expiry_days } = (body ?? {}) as Record<string, unknown>;
  // Null days are a length too: none.
  return expiry_months !== null && expiry_days !== undefined;
}

/** A length is given in months or in days, never in both (MONEY-10). */
export const oneLength = z.refine((body) => !hasTwoLengths(body), {
  path: ['expiry_months'],
  ...coded('not_allowed', LICENSE_MESSAGES.monthsOrDays),
  // Checked together with the fields, so that the caller sees all errors at once.
  when: () => true,
});
