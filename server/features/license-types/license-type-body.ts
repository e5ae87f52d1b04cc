import { z } from 'zod';
import { licenseTypeCreate, licenseTypeUpdate, promotionErrors } from '../../../contract/license-types.ts';
import { day } from '../../../contract/text.ts';

/**
 * The rules that span fields, said together with the errors of the single fields, not only once those are mended.
 * A rule is asked only of what was sent: a PUT may leave to the stored record what it does not name, and is asked
 * again over the merged values (save-license-type.ts).
 */
const rules = (['promotion_name', 'promotion_end_date'] as const).map((field) =>
  z.refine((body) => !promotionErrors(sentOf(body))[field], {
    path: [field],
    error: (issue) => promotionErrors(sentOf(issue.input))[field]?.[0],
    when: () => true,
  }),
);

/** Seen before the fields are known to be right, hence the loose reading; what is unreadable breaks no rule. */
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
