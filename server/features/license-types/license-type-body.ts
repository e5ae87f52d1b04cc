import { z } from 'zod';
import {
  licenseTypeCreate,
  licenseTypeUpdate,
  PROMOTION_RULES,
  promotionErrors,
} from '../../../contract/license-types.ts';
import { day } from '../../../contract/text.ts';

/**
 * The rules that span fields, reported together with the errors of single fields. A rule runs only on sent fields: a
 * PUT may omit fields, and save-license-type.ts checks the merged values again.
 */
const rules = PROMOTION_RULES.map(([field, code]) =>
  z.refine((body) => !promotionErrors(sentOf(body))[field], {
    path: [field],
    params: { code },
    error: (issue) => promotionErrors(sentOf(issue.input))[field]?.[0],
    when: () => true,
  }),
);

/** Runs before the fields are validated, so it accepts any shape; an invalid value breaks no rule. */
const sent = z.object({
  is_promotion: z.boolean().catch(false),
  promotion_name: z.string().catch('-'),
  promotion_start_date: day.nullable().catch(null),
  promotion_end_date: day.nullable().catch(null),
});
const sentOf = (body: unknown) => sent.catch(sent.parse({})).parse(body);

/** The body of a POST: the contract's schema and the rules of promotions (SEED-5.5-07, SEED-5.5-09). */
export const licenseTypeCreateBody = licenseTypeCreate.check(...rules).meta({ ...licenseTypeCreate.meta() });

/** The body of a PUT. */
export const licenseTypeUpdateBody = licenseTypeUpdate.check(...rules);
