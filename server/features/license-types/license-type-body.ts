import { z } from 'zod';
import { day } from '../../../contract/base/text.ts';
import {
  licenseTypeCreate,
  licenseTypeUpdate,
  PROMOTION_RULES,
  promotionErrors,
} from '../../../contract/license-types/license-types.ts';
import { SEAT_MESSAGES } from '../../../contract/licenses/seats.ts';

/**
 * Rules about several fields, reported together with the errors of single fields. A rule runs only on fields that
 * were sent: a PUT may omit fields, and save-license-type.ts checks the merged values again.
 */
const rules = PROMOTION_RULES.map(([field, code]) =>
  z.refine((body) => !promotionErrors(sentOf(body))[field], {
    path: [field],
    params: { code },
    error: (issue) => promotionErrors(sentOf(issue.input))[field]?.[0],
    when: () => true,
  }),
);

/** Runs before the fields are validated, so it accepts any shape; an invalid value violates no rule here. */
const sent = z.object({
  is_promotion: z.boolean().catch(false),
  promotion_name: z.string().catch('-'),
  promotion_start_date: day.nullable().catch(null),
  promotion_end_date: day.nullable().catch(null),
});
const sentOf = (body: unknown) => sent.catch(sent.parse({})).parse(body);

/** For a new type with floating seats the lease is required; a PUT may contain only one of the two fields. */
const seatRule = z.refine((body) => !lacksLease(body), {
  path: ['lease_minutes'],
  params: { code: 'required' },
  error: SEAT_MESSAGES.leaseRequired,
  when: () => true,
});

/** Runs before the fields are validated, so it accepts any shape. */
function lacksLease(body: unknown): boolean {
  const { seat_mode, lease_minutes = null } = (body ?? {}) as Record<string, unknown>;
  return seat_mode === 'floating' && lease_minutes === null;
}

/** The body of a POST: the contract's schema and its rules (SEED-5.5-07, SEED-5.5-09, PROG-05). */
export const licenseTypeCreateBody = licenseTypeCreate
  .check(...rules, seatRule)
  .meta({ ...licenseTypeCreate.meta() });

export const licenseTypeUpdateBody = licenseTypeUpdate.check(...rules);
