import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { EXTERNAL_ID_MAX, LICENSE_DEFAULTS, PROGRAM_TEXT_MAX, VALIDITY_DAYS_MAX } from '../base/limits.ts';
import {
  currencyCode,
  discount,
  NUMBER_MESSAGES,
  positiveCount,
  positiveMoney,
  recordId,
  reference,
} from '../base/numbers.ts';
import {
  bulkUpdateOf,
  exportIds,
  figureFilters,
  listQuery,
  queryDays,
  queryFlag,
  updatedSince,
} from '../base/page.ts';
import {
  answeredDay,
  day,
  externalId,
  instantForm,
  isCalendarDay,
  line,
  optionalDay,
  optionalLine,
  optionalParagraph,
} from '../base/text.ts';
import { isExpired } from '../base/time.ts';
import { emailTransport } from '../mail/email-transport.ts';
import { installation } from '../programs/installations.ts';
import { inheritedFields, inheritedShape, optionalInherited } from './inherited.ts';

export const LICENSE_CATEGORIES = [
  'trial',
  'basic',
  'premium',
  'enterprise',
  'abono',
  'pack',
  'individual',
  'promocional',
] as const;
export type LicenseCategory = (typeof LICENSE_CATEGORIES)[number];

export const LICENSE_STATUSES = ['active', 'expired', 'suspended', 'cancelled', 'inactive', 'trial'] as const;
export type LicenseStatus = (typeof LICENSE_STATUSES)[number];

/** The delivery status of the mail to the client; null if no mail was queued (imports). */
const EMAIL_STATUSES = ['queued', 'sent', 'failed'] as const;
export type EmailStatus = (typeof EMAIL_STATUSES)[number];

export const LICENSE_MESSAGES = {
  client: 'Debe seleccionar un cliente',
  software: 'Debe seleccionar un software',
  type: 'Debe seleccionar un tipo de licencia',
  price: 'El precio es obligatorio y debe ser mayor a 0',
  originalPrice: 'El precio original debe ser mayor a 0',
  status: 'Debe seleccionar un estado',
  category: 'Selecciona una categoría válida',
  maxInstallations: 'El máximo de instalaciones debe ser mayor a 0',
  expiryDays: 'Los días de expiración deben ser mayores a 0',
  discount: NUMBER_MESSAGES.discount,
  expiryDate: 'La fecha de expiración no es válida',
  quantity: 'La cantidad debe ser un número entero entre 1 y 500',
  keyTaken: 'Ya existe una licencia con esta clave',
  externalIdTaken: 'Ya existe una licencia con este identificador externo',
  unknownClient: 'El cliente no existe',
  unknownSoftware: 'El software no existe',
  unknownType: 'El tipo de licencia no existe',
  notFound: 'Licencia no encontrada',
} as const;

export const LICENSE_RESULTS = { deleted: 'Licencia eliminada exitosamente' } as const;

/** Characters of a key. 0, O, 1 and I are left out because people misread them on paper and by phone (D083). */
export const LICENSE_KEY_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
export const LICENSE_KEY_PATTERN = /^[2-9A-HJ-NP-Z]{5}(-[2-9A-HJ-NP-Z]{5}){4}$/;

/**
 * A day, which stands for its end in the business time zone, or an exact instant (D071). Both databases can store the
 * allowed years in every time zone.
 */
const expiryDate = z
  .string()
  .trim()
  .refine((text) => isCalendarDay(text) || instantForm.safeParse(text).success, LICENSE_MESSAGES.expiryDate)
  .refine(
    (text) => /^(19|[2-9]\d)\d\d-/.test(text) && !text.startsWith('9999'),
    coded('out_of_range', LICENSE_MESSAGES.expiryDate),
  );

const fields = {
  client: reference(LICENSE_MESSAGES.client),
  software: reference(LICENSE_MESSAGES.software),
  license_type: z.enum(LICENSE_CATEGORIES, LICENSE_MESSAGES.category),
  license_type_config: reference(LICENSE_MESSAGES.type).nullable(),
  status: z.enum(LICENSE_STATUSES, LICENSE_MESSAGES.status),
  price: positiveMoney(LICENSE_MESSAGES.price),
  currency: currencyCode,
  original_price: positiveMoney(LICENSE_MESSAGES.originalPrice).nullable(),
  discount_percentage: discount
    .nullable()
    .transform((value) => value ?? LICENSE_DEFAULTS.discount_percentage),
  promotion_name: optionalLine(200),
  promotion_description: optionalParagraph(5000),
  max_installations: positiveCount(LICENSE_MESSAGES.maxInstallations),
  expiry_days: positiveCount(LICENSE_MESSAGES.expiryDays, VALIDITY_DAYS_MAX).nullable(),
  expiry_date: expiryDate.nullable(),
  ...inheritedFields,
  /** Builds released until this local day may be used with the licence; null means any build (SELL-02). */
  updates_until: optionalDay,
  notes: optionalParagraph(5000),
  /** The licence's id in another system of the vendor (API-01). */
  external_id: externalId,
};

/** The names of the writable fields of a licence. */
export const LICENSE_FIELDS = Object.keys(fields) as (keyof typeof fields)[];

const optionalFields = {
  license_type: fields.license_type.optional(),
  license_type_config: fields.license_type_config.optional(),
  status: fields.status.default(LICENSE_DEFAULTS.status),
  /** Default: the currency of the type, else the setting `currency` (MONEY-01). */
  currency: fields.currency.optional(),
  original_price: fields.original_price.default(null),
  discount_percentage: fields.discount_percentage.prefault(LICENSE_DEFAULTS.discount_percentage),
  promotion_name: fields.promotion_name.prefault(''),
  promotion_description: fields.promotion_description.prefault(''),
  /** Default: the value of the type, else 5 (D125). */
  max_installations: fields.max_installations.optional(),
  /** Default: the value of the type, else 365. If this and expiry_date are null, the licence has no expiry (D070). */
  expiry_days: fields.expiry_days.optional(),
  expiry_date: fields.expiry_date.optional(),
  ...optionalInherited,
  /** Default: computed from the day of issue and the type's `updates_days`. */
  updates_until: fields.updates_until.optional(),
  notes: fields.notes.prefault(''),
  /** Default: no id. */
  external_id: fields.external_id.optional(),
};

const typeRequired = z.refine((body) => hasType(body), {
  path: ['license_type_config'],
  ...coded('required', LICENSE_MESSAGES.type),
  // Checked together with the fields, so that the caller sees all errors at once.
  when: () => true,
});

/** A licence is issued to one client for one software (SEED-1-07). Its type is given by id or by category (D125). */
export const licenseCreate = z
  .object({ client: fields.client, software: fields.software, price: fields.price, ...optionalFields })
  .check(typeRequired)
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
  .check(typeRequired)
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
export const licenseGenerate = z.object({
  client: fields.client,
  software: fields.software,
  ...optionalFields,
  license_type_config: reference(LICENSE_MESSAGES.type),
  price: fields.price.optional(),
});

/** Runs before the fields are validated, so it accepts any shape. */
function hasType(body: unknown): boolean {
  const sent = (body ?? {}) as { license_type?: unknown; license_type_config?: unknown };
  return (
    (sent.license_type !== undefined && sent.license_type !== null) ||
    (sent.license_type_config !== undefined && sent.license_type_config !== null)
  );
}

/**
 * A PUT keeps the fields that it does not send (D091). The schema accepts any number of days: after a date was set
 * directly, the stored number may be below 1 or above the maximum, and a client may send it back. The server checks
 * the range of a changed value (D071).
 */
export const licenseUpdate = z
  .object({
    ...fields,
    expiry_days: z.number().int().nullable(),
    updated_at: z.string().max(40),
  })
  .partial();

export const licenseBulkUpdate = bulkUpdateOf({
  status: fields.status,
  notes: fields.notes,
  max_installations: fields.max_installations,
  expiry_days: fields.expiry_days,
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
  license_type_config: z.coerce.number().pipe(recordId).optional(),
  client: z.coerce.number().pipe(recordId).optional(),
  software: z.coerce.number().pipe(recordId).optional(),
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
  license_key: line(100).optional(),
  external_id: line(EXTERNAL_ID_MAX).optional(),
  updated_since: updatedSince.optional(),
  /** Licences with a machine whose program reported exactly this version. */
  app_version: line(PROGRAM_TEXT_MAX).optional(),
  /** Records that an import created or changed. */
  import: z.coerce.number().pipe(recordId).optional(),
  ...figureFilters,
});
export const licenseListQuery = z.object({ ...listQuery.shape, ...licenseFilters.shape });
export const licenseExportQuery = z.object({ ...licenseListQuery.shape, ids: exportIds.optional() });

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

const licenseShape = {
  id: z.number().int(),
  license_key: z.string(),
  status: z.enum(LICENSE_STATUSES),
  license_type: z.enum(LICENSE_CATEGORIES),
  license_type_config: z.number().int().nullable(),
  /** The name of the licence's type, for the column 'Tipo' (D061). */
  license_type_name: z.string().nullable(),
  issued_date: z.string(),
  expiry_date: z.string().nullable(),
  expiry_days: z.number().int().nullable(),
  days_remaining: z.number().int().nullable(),
  ...inheritedShape,
  updates_until: answeredDay.nullable(),
  /**
   * True while the licence waits for its first activation, and the instant at which its term starts at the latest.
   * After the start false and null (SELL-01).
   */
  pending_start: z.boolean(),
  activate_by: z.string().nullable(),
  client: z.object({ id: z.number().int(), name: z.string(), email: z.string(), company: z.string() }),
  client_name: z.string(),
  client_email: z.string(),
  client_phone: z.string(),
  software: z.object({
    id: z.number().int(),
    name: z.string(),
    version: z.string(),
    description: z.string(),
  }),
  software_name: z.string(),
  software_version: z.string(),
  software_description: z.string(),
  price: z.number(),
  currency: currencyCode,
  original_price: z.number().nullable(),
  discount_percentage: z.number(),
  promotion_name: z.string(),
  promotion_description: z.string(),
  current_installations: z.number().int(),
  max_installations: z.number().int(),
  remaining_installations: z.number().int(),
  notes: z.string(),
  external_id: z.string().nullable(),
  /** The email address given for this trial, if a client already has that address (SELL-04). */
  trial_email: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  /** Status 'active' and not past its date (D067). */
  is_active: z.boolean(),
  /** Past its date, regardless of its status (D066). */
  is_expired: z.boolean(),
  email_status: z.enum(EMAIL_STATUSES).nullable(),
  /** How the latest mail was delivered; null before delivery, and for mails of versions that did not store it. */
  email_transport: emailTransport.nullable(),
};

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
