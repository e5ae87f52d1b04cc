import { z } from 'zod';
import { reference } from '../base/numbers.ts';
import { PAYMENT_MESSAGES } from '../payments/payment-words.ts';
import { tagAction } from '../tags/tags.ts';
import { bulkActionOf, bulkFailure, bulkSelection, hasOneSelection } from './bulk.ts';
import { priceOrNothing } from './complimentary.ts';
import { LICENSE_MESSAGES, LICENSE_STATUSES } from './licenses.fields.ts';
import { oneLength } from './one-length.ts';
import { RENEWAL_KINDS } from './verbs/definition.ts';
import { BULK_LIFE_ACTIONS, type BulkLifeAction, VERBS } from './verbs/index.ts';

// The type of Object.fromEntries loses the keys, so a cast restores them.
const lifeFields = Object.fromEntries(
  BULK_LIFE_ACTIONS.map((action) => [action, VERBS[action].body.shape]),
) as { [Action in BulkLifeAction]: (typeof VERBS)[Action]['body']['shape'] };

/** The bulk actions on licences and their fields (LIST-01, LIFE-06). */
export const licenseActions = {
  delete: {},
  set_status: { status: z.enum(LICENSE_STATUSES, LICENSE_MESSAGES.status) },
  /** Sends the mail about the licence again, to the client's current address. */
  resend_email: {},
  /** Removes all machines of the licence. */
  release_seats: {},
  add_tag: tagAction,
  remove_tag: tagAction,
  ...lifeFields,
  // A payment is of one sale; nobody knows which of many licences it would pay (MONEY-05).
  renew: { ...lifeFields.renew, payment: z.never(PAYMENT_MESSAGES.saleOfMany).optional() },
};
export const licenseBulkAction = bulkActionOf(licenseActions, oneLength);

/**
 * The body of a preview: the selection, the action, and the terms of a renewal that decide what it refuses. Without a
 * type no trial can be renewed, and without type, price or flag no courtesy (MONEY-09).
 */
export const licenseBulkPreviewBody = z
  .object({
    ...bulkSelection,
    action: z.enum(BULK_LIFE_ACTIONS),
    license_type_config: reference(LICENSE_MESSAGES.type).optional(),
    price: priceOrNothing(LICENSE_MESSAGES.price).optional(),
    complimentary: z.boolean().optional(),
    /** What a renewal sells. Default: another term. */
    kind: z.enum(RENEWAL_KINDS).optional(),
  })
  .refine(...hasOneSelection);

/** How many licences and machines an action would change, and the reasons why it would skip the other licences. */
export const licenseBulkPreview = z
  .object({
    total: z.number().int(),
    possible: z.number().int(),
    /** Machines that hold a seat of a licence that would be changed. */
    machines: z.number().int(),
    refused: z.array(
      z.object({
        code: bulkFailure.shape.code,
        message: z.string(),
        count: z.number().int(),
      }),
    ),
  })
  .meta({ id: 'LicenseBulkPreview' });
export type LicenseBulkPreview = z.infer<typeof licenseBulkPreview>;
