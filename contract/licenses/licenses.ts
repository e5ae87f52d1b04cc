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

/** The delivery status of the message to the client; null where no message was written (imports). */
export const EMAIL_STATUSES = ['queued', 'sent', 'failed'] as const;
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
 * A day, which means its end in the business time zone, or an exact instant (D071). The year range is one that both
 * databases can store in any zone.
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
  /** The last local day whose builds it may run; null: any build (SELL-02). */
  updates_until: optionalDay,
  notes: optionalParagraph(5000),
  /** Its number in another system of the vendor (API-01). */
  external_id: externalId,
};

/** The writable fields of a licence, by their public names. */
export const LICENSE_FIELDS = Object.keys(fields) as (keyof typeof fields)[];

const optionalFields = {
  license_type: fields.license_type.optional(),
  license_type_config: fields.license_type_config.optional(),
  status: fields.status.default(LICENSE_DEFAULTS.status),
  /** Absent: that of the catalogue type, else the setting `currency` (MONEY-01). */
  currency: fields.currency.optional(),
  original_price: fields.original_price.default(null),
  discount_percentage: fields.discount_percentage.prefault(LICENSE_DEFAULTS.discount_percentage),
  promotion_name: fields.promotion_name.prefault(''),
  promotion_description: fields.promotion_description.prefault(''),
  /** Absent: from the catalogue type, else 5 (D125). */
  max_installations: fields.max_installations.optional(),
  /** Absent: from the catalogue type, else 365. Null together with expiry_date null: no expiry (D070). */
  expiry_days: fields.expiry_days.optional(),
  expiry_date: fields.expiry_date.optional(),
  ...optionalInherited,
  /** Absent: the day of issue and the type's `updates_days`. */
  updates_until: fields.updates_until.optional(),
  notes: fields.notes.prefault(''),
  /** Absent: none. */
  external_id: fields.external_id.optional(),
};

const typeRequired = z.refine((body) => hasType(body), {
  path: ['license_type_config'],
  ...coded('required', LICENSE_MESSAGES.type),
  // Reported together with the field errors, not after they are corrected.
  when: () => true,
});

/** A licence is issued to one client for one software (SEED-1-07); the type by catalogue id or by category (D125). */
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

/** Many licences with the same terms, each with its own key. A number of another system belongs to one licence alone. */
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

/** The new licences, in the order of the mail. */
export const licenseBatchResult = z
  .object({
    success: z.literal(true),
    licenses: z.array(z.object({ id: z.number().int(), license_key: z.string() })),
  })
  .meta({ id: 'LicenseBatchResult' });
export type LicenseBatchResult = z.infer<typeof licenseBatchResult>;

/** license/generate: terms, price included, default to those of the catalogue type (D085, D125). */
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
 * A PUT keeps the fields that it does not name (D091). The schema accepts any number of days: after a date was set by
 * hand the stored number may be below 1 or above the maximum, and a client sends it back. The server checks the range
 * of a changed value (D071).
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

/** A category word, or the id of a catalogue type (D060). */
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
  /** Licences that are usable now and end within this many days. */
  expiring_within: queryDays.optional(),
  /** The first and the last local day on which a licence may end, both included. */
  expiry_from: day.optional(),
  expiry_to: day.optional(),
  /** The delivery status of the latest message. */
  email_status: z.enum(EMAIL_STATUSES).optional(),
  /** Without any machine; false: with one. */
  unused: queryFlag.optional(),
  /** All seats taken; false: one is free. */
  seats_full: queryFlag.optional(),
  country: line(100).optional(),
  /** Licences with a machine that sent a heartbeat within this many days. */
  active_within: queryDays.optional(),
  /** Licences with machines, none of which sent a heartbeat or was installed within this many days. */
  silent_for: queryDays.optional(),
  /** The one licence with this key, in any form of it. */
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
  /** The catalogue type's name, for the column 'Tipo' (D061). */
  license_type_name: z.string().nullable(),
  issued_date: z.string(),
  expiry_date: z.string().nullable(),
  expiry_days: z.number().int().nullable(),
  days_remaining: z.number().int().nullable(),
  ...inheritedShape,
  updates_until: answeredDay.nullable(),
  /** Whether its clock waits for the first activation, and until when it may wait; false and null from then on (SELL-01). */
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
  /** The mail that somebody gave for this trial and a client has already (SELL-04). */
  trial_email: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  /** Status 'active' and not past its date (D067). */
  is_active: z.boolean(),
  /** Past its date, regardless of its status (D066). */
  is_expired: z.boolean(),
  email_status: z.enum(EMAIL_STATUSES).nullable(),
  /** How that mail left; null before that, and for mail of the versions that did not note it. */
  email_transport: emailTransport.nullable(),
};

/** A licence in a list. Its installations are part of the single record only. */
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
