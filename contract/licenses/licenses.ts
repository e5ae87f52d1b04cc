import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { answerShapeOf, createShapeOf, schemasOf, updateOf } from '../base/fields.ts';
import { EXTERNAL_ID_MAX, PROGRAM_TEXT_MAX } from '../base/limits.ts';
import { reference, writtenId } from '../base/numbers.ts';
import {
  bulkUpdateOf,
  exportForm,
  exportIds,
  figureFilters,
  listQuery,
  queryDays,
  queryFlag,
  updatedSince,
} from '../base/page.ts';
import { day, line } from '../base/text.ts';
import { isExpired } from '../base/time.ts';
import { typedKey } from '../base/typed-key.ts';
import { salePayment } from '../payments/sale-payment.ts';
import { installation } from '../programs/installations.ts';
import { tagFilter } from '../tags/tags.ts';
import { changedPriceRule, priceOrNothing, priceRules } from './complimentary.ts';
import {
  EMAIL_STATUSES,
  LICENSE_ANSWERED,
  LICENSE_CATEGORIES,
  LICENSE_FIELDS,
  LICENSE_MESSAGES,
  LICENSE_STATUSES,
  type LicenseStatus,
} from './licenses.fields.ts';
import { oneLength } from './one-length.ts';

export const LICENSE_RESULTS = { deleted: 'Licencia eliminada exitosamente' } as const;

const schemas = schemasOf(LICENSE_FIELDS);
/** Only a courtesy has the price 0, and it need not be sent (MONEY-09). */
const created = {
  ...createShapeOf(LICENSE_FIELDS),
  price: priceOrNothing(LICENSE_MESSAGES.price).optional(),
};
const priced = priceRules(LICENSE_MESSAGES.price, { needsPrice: true });

const typeRequired = z.refine((body) => hasType(body), {
  path: ['license_type_config'],
  ...coded('required', LICENSE_MESSAGES.type),
  // Checked together with the fields, so that the caller sees all errors at once.
  when: () => true,
});

/** A licence is issued to one client for one software (SEED-1-07). Its type is given by id or by category (D125). */
export const licenseCreate = z
  .object({ ...created, payment: salePayment.optional() })
  .check(typeRequired, oneLength, ...priced)
  .meta({
    examples: [{ client: 1, software: 1, license_type_config: 1, license_type: 'premium', price: 1200 }],
  });
export type LicenseInput = z.input<typeof licenseCreate>;

/** The most licences of one batch (SELL-05). */
export const BATCH_MAX = 500;

const { external_id: _ofOne, ...fieldsOfMany } = licenseCreate.shape;

/** Many licences with the same terms, each with its own key. They have no `external_id`, which must be unique. */
export const licenseBatch = z
  .object({
    ...fieldsOfMany,
    quantity: z
      .int(LICENSE_MESSAGES.quantity)
      .min(1, LICENSE_MESSAGES.quantity)
      .max(BATCH_MAX, LICENSE_MESSAGES.quantity)
      .meta({ description: 'Cuántas licencias / How many licences' }),
  })
  .check(typeRequired, oneLength, ...priced)
  .meta({
    examples: [
      {
        ...{ client: 1, software: 1, license_type_config: 1, license_type: 'premium', price: 1200 },
        quantity: 20,
      },
    ],
  });

/** The new licences, in the order in which the mail lists them. */
export const licenseBatchResult = z
  .object({
    success: z.literal(true),
    licenses: z.array(z.object({ id: z.number().int(), license_key: z.string() })),
  })
  .meta({ id: 'LicenseBatchResult' });
export type LicenseBatchResult = z.infer<typeof licenseBatchResult>;

/** The body of license/generate: all terms, including the price, default to those of the type (D085, D125). */
export const licenseGenerate = z
  .object({
    ...created,
    license_type_config: reference(LICENSE_MESSAGES.type),
    payment: salePayment.optional(),
  })
  .check(oneLength, ...priceRules(LICENSE_MESSAGES.price, { needsPrice: false }));

/** Runs before the fields are validated, so it accepts any shape. */
function hasType(body: unknown): boolean {
  const sent = (body ?? {}) as { license_type?: unknown; license_type_config?: unknown };
  return (
    (sent.license_type !== undefined && sent.license_type !== null) ||
    (sent.license_type_config !== undefined && sent.license_type_config !== null)
  );
}

/**
 * A PUT keeps the fields that it does not send (D091). The price of a courtesy stays 0 (MONEY-09). The schema accepts
 * any number of days: after a date was set directly, the stored number may be below 1 or above the maximum, and a
 * client may send it back. The server checks the range of a changed value (D071).
 */
export const licenseUpdate = updateOf({
  ...LICENSE_FIELDS,
  price: { ...LICENSE_FIELDS.price, schema: priceOrNothing(LICENSE_MESSAGES.price) },
  expiry_days: { ...LICENSE_FIELDS.expiry_days, schema: z.number().int().nullable() },
}).check(changedPriceRule(LICENSE_MESSAGES.price));

export const licenseBulkUpdate = bulkUpdateOf({
  status: schemas.status,
  notes: schemas.notes,
  max_installations: schemas.max_installations,
  expiry_days: schemas.expiry_days,
  expiry_months: schemas.expiry_months,
});

/** A category, or the id of a type (D060). */
const licenseTypeFilter = z.union([
  z.enum(LICENSE_CATEGORIES),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
]);

/** The filters shared by the list and the export. */
const licenseFilters = z.object({
  status: z.enum(LICENSE_STATUSES).optional(),
  license_type: licenseTypeFilter.optional(),
  license_type_config: writtenId.optional(),
  client: writtenId.optional(),
  software: writtenId.optional(),
  is_active: queryFlag.optional(),
  /** Licences that can be used now and end within this number of days. */
  expiring_within: queryDays.optional(),
  /** The first and last local day of the range in which the licence ends, both included. */
  expiry_from: day.optional(),
  expiry_to: day.optional(),
  /** The delivery status of the latest mail about the licence. */
  email_status: z.enum(EMAIL_STATUSES).optional(),
  /** True: licences without installations; false: licences with installations. */
  unused: queryFlag.optional(),
  /** True: all seats are taken; false: a seat is free. */
  seats_full: queryFlag.optional(),
  country: line(100).optional(),
  /** Licences with a machine that sent a heartbeat within this number of days. */
  active_within: queryDays.optional(),
  /** Licences that have machines, but none that sent a heartbeat or was installed within this number of days. */
  silent_for: queryDays.optional(),
  /** The licence with this key, however the key is written. */
  license_key: typedKey.optional(),
  external_id: line(EXTERNAL_ID_MAX).optional(),
  updated_since: updatedSince.optional(),
  /** Records that have this tag; with several, all of them (DESK-03). */
  tag: tagFilter,
  /** Licences with a machine whose program reported exactly this version. */
  app_version: line(PROGRAM_TEXT_MAX).optional(),
  /** True: courtesies, whose newest term nobody pays for; false: all others (MONEY-09). */
  complimentary: queryFlag.optional(),
  /** Records that an import created or changed. */
  import: writtenId.optional(),
  ...figureFilters,
});
export const licenseListQuery = z.object({ ...listQuery.shape, ...licenseFilters.shape });
export const licenseExportQuery = z.object({
  ...licenseListQuery.shape,
  ids: exportIds.optional(),
  ...exportForm,
});

export const LICENSE_ORDERINGS = [
  'created_at',
  'issued_date',
  'expiry_date',
  'price',
  'status',
  'client_name',
  'software_name',
  'license_type',
  'current_installations',
] as const;

const licenseShape = answerShapeOf({ ...LICENSE_ANSWERED, ...LICENSE_FIELDS });

/** A licence in a list. Only the answer for a single licence includes its installations. */
export const licenseRow = z.object(licenseShape);
export type LicenseRow = z.infer<typeof licenseRow>;

export const license = z
  .object({ ...licenseShape, installations: z.array(installation) })
  .meta({ id: 'ClientLicense' });
export type License = z.infer<typeof license>;

export const licenseKeyPreview = z
  .object({ success: z.literal(true), license_key: z.string() })
  .meta({ id: 'LicenseKeyPreview' });

export const licenseState = z
  .object({
    success: z.literal(true),
    id: z.number().int(),
    license_key: z.string(),
    status: z.enum(LICENSE_STATUSES),
    is_active: z.boolean(),
    is_expired: z.boolean(),
    pending_start: z.boolean(),
    issued_date: z.string(),
    expiry_date: z.string().nullable(),
    days_remaining: z.number().int().nullable(),
    current_installations: z.number().int(),
    max_installations: z.number().int(),
    remaining_installations: z.number().int(),
  })
  .meta({ id: 'LicenseState' });

/** True when the licence counts as active: status 'active' and not past its date (D066, D067). */
export function isLicenseActive(
  state: { status: LicenseStatus; expiry_date: string | null },
  now: Date,
): boolean {
  return state.status === 'active' && !isExpired(state.expiry_date, now);
}
