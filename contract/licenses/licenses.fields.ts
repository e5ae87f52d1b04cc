import { z } from 'zod';
import { DETAIL_LABELS } from '../base/detail-labels.ts';
import { ERROR_CODES } from '../base/errors.ts';
import { coded } from '../base/field-errors.ts';
import { type AnsweredFields, labelsOf, OPTIONAL, REQUIRED, type WritableFields } from '../base/fields.ts';
import { LABELS } from '../base/labels.ts';
import { LICENSE_DEFAULTS, VALIDITY_DAYS_MAX } from '../base/limits.ts';
import {
  currencyCode,
  discount,
  monthCount,
  NUMBER_MESSAGES,
  positiveCount,
  positiveMoney,
  reference,
} from '../base/numbers.ts';
import {
  answeredDay,
  EXTERNAL_ID,
  externalId,
  instantForm,
  isCalendarDay,
  optionalDay,
  optionalLine,
  optionalParagraph,
} from '../base/text.ts';
import { emailTransport } from '../mail/email-transport.ts';
import { answeredTags, tags } from '../tags/tags.ts';
import { INHERITED_FIELDS } from './inherited.fields.ts';

/** The fields of a licence: a client's right to use a software. */

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
  monthsOrDays: 'Indica los meses o los días, no ambos',
  discount: NUMBER_MESSAGES.discount,
  expiryDate: 'La fecha de expiración no es válida',
  quantity: 'La cantidad debe ser un número entero entre 1 y 500',
  keyTaken: 'Ya existe una licencia con esta clave',
  externalIdTaken: 'Ya existe una licencia con este identificador externo',
  unknownClient: 'El cliente no existe',
  unknownSoftware: 'El software no existe',
  unknownType: 'El tipo de licencia no existe',
  notFound: ERROR_CODES.license_not_found,
} as const;

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

export const LICENSE_FIELDS = {
  client: {
    label: LABELS.client,
    schema: reference(LICENSE_MESSAGES.client),
    absent: REQUIRED,
    answer: z.object({
      id: z.number().int(),
      name: z.string(),
      email: z.string(),
      /** The email as people write its domain, where that differs (INPUT-14). */
      email_shown: z.string().optional(),
      company: z.string(),
    }),
  },
  software: {
    label: LABELS.software,
    schema: reference(LICENSE_MESSAGES.software),
    absent: REQUIRED,
    answer: z.object({
      id: z.number().int(),
      name: z.string(),
      version: z.string(),
      description: z.string(),
    }),
  },
  license_type: {
    label: 'Categoría',
    schema: z.enum(LICENSE_CATEGORIES, LICENSE_MESSAGES.category),
    absent: OPTIONAL,
  },
  license_type_config: {
    label: LABELS.license_type,
    schema: reference(LICENSE_MESSAGES.type).nullable(),
    absent: OPTIONAL,
    answer: z.number().int().nullable(),
  },
  status: {
    label: LABELS.status,
    schema: z.enum(LICENSE_STATUSES, LICENSE_MESSAGES.status),
    absent: { value: LICENSE_DEFAULTS.status },
  },
  price: {
    label: LABELS.price,
    schema: positiveMoney(LICENSE_MESSAGES.price),
    absent: REQUIRED,
    answer: z.number(),
  },
  /** A courtesy: nobody pays for its term, so its price is 0 (MONEY-09). No PUT changes it. */
  complimentary: { label: LABELS.complimentary, schema: z.boolean(), absent: { value: false } },
  /** When absent: the currency of the type, else the setting `currency` (MONEY-01). */
  currency: { label: LABELS.currency, schema: currencyCode, absent: OPTIONAL },
  original_price: {
    label: 'Precio Original',
    schema: positiveMoney(LICENSE_MESSAGES.originalPrice).nullable(),
    absent: { value: null },
    answer: z.number().nullable(),
  },
  discount_percentage: {
    label: 'Descuento (%)',
    schema: discount.nullable().transform((value) => value ?? LICENSE_DEFAULTS.discount_percentage),
    absent: { value: LICENSE_DEFAULTS.discount_percentage },
    answer: z.number(),
  },
  promotion_name: {
    label: 'Nombre de Promoción',
    schema: optionalLine(200),
    absent: { value: '' },
    answer: z.string(),
  },
  promotion_description: {
    label: 'Descripción de Promoción',
    schema: optionalParagraph(5000),
    absent: { value: '' },
    answer: z.string(),
  },
  /** When absent: the value of the type, else 5 (D125). */
  max_installations: {
    label: 'Máximo de Instalaciones',
    schema: positiveCount(LICENSE_MESSAGES.maxInstallations),
    absent: OPTIONAL,
    answer: z.number().int(),
  },
  /** When absent: the value of the type, else 365. If this and expiry_date are null, the licence has no end (D070). */
  expiry_days: {
    label: 'Días de Expiración',
    schema: positiveCount(LICENSE_MESSAGES.expiryDays, VALIDITY_DAYS_MAX).nullable(),
    absent: OPTIONAL,
    answer: z.number().int().nullable(),
  },
  expiry_date: {
    label: LABELS.expiry_date,
    schema: expiryDate.nullable(),
    absent: OPTIONAL,
    answer: z.string().nullable(),
  },
  ...INHERITED_FIELDS,
  /**
   * Builds released until this local day may be used with the licence; null means any build. When absent: computed from
   * the day of issue and the type's `updates_days` (SELL-02).
   */
  updates_until: {
    label: 'Actualizaciones hasta',
    schema: optionalDay,
    absent: OPTIONAL,
    answer: answeredDay.nullable(),
  },
  notes: {
    label: DETAIL_LABELS.notes,
    schema: optionalParagraph(5000),
    absent: { value: '' },
    answer: z.string(),
  },
  /** The licence's id in another system of the vendor (API-01). */
  external_id: {
    label: EXTERNAL_ID,
    schema: externalId,
    absent: OPTIONAL,
    answer: z.string().nullable(),
  },
  /** As those of clients (DESK-03). */
  tags: { label: LABELS.tags, schema: tags, absent: OPTIONAL, answer: answeredTags },
  /**
   * The length of the present term in months; null where it was given in days or as a date (MONEY-10). When absent:
   * that of the type, unless days or a date are given.
   */
  expiry_months: {
    label: 'Meses de Expiración',
    schema: monthCount.nullable(),
    absent: OPTIONAL,
    answer: z.number().int().nullable(),
  },
} as const satisfies WritableFields;

export type LicenseField = keyof typeof LICENSE_FIELDS;

/** What answers say beyond the fields. */
export const LICENSE_ANSWERED = {
  id: { answer: z.number().int() },
  license_key: { label: LABELS.license_key, answer: z.string() },
  /** The name of the licence's type, for the column 'Tipo' (D061). */
  license_type_name: { answer: z.string().nullable() },
  issued_date: { label: LABELS.issued_date, answer: z.string() },
  days_remaining: { label: 'Días restantes', answer: z.number().int().nullable() },
  /**
   * True while the licence waits for its first activation, and the instant at which its term starts at the latest.
   * After the start false and null (SELL-01).
   */
  pending_start: { answer: z.boolean() },
  activate_by: { answer: z.string().nullable() },
  client_name: { answer: z.string() },
  client_email: { answer: z.string() },
  /** The email as people write its domain, where that differs (INPUT-14). */
  client_email_shown: { answer: z.string().optional() },
  client_phone: { answer: z.string() },
  software_name: { answer: z.string() },
  software_version: { answer: z.string() },
  software_description: { answer: z.string() },
  current_installations: { answer: z.number().int() },
  remaining_installations: { answer: z.number().int() },
  /** The email address given for this trial, if a client already has that address (SELL-04). */
  trial_email: { label: 'Correo que dejó quien prueba', answer: z.string().nullable() },
  created_at: { answer: z.string() },
  updated_at: { answer: z.string() },
  /** Status 'active' and not past its date (D067). */
  is_active: { answer: z.boolean() },
  /** Past its date, regardless of its status (D066). */
  is_expired: { answer: z.boolean() },
  email_status: { answer: z.enum(EMAIL_STATUSES).nullable() },
  /** How the latest mail was delivered; null before delivery, and for mails of versions that did not store it. */
  email_transport: { answer: emailTransport.nullable() },
} as const satisfies AnsweredFields;

export const LICENSE_LABELS = labelsOf({ ...LICENSE_FIELDS, ...LICENSE_ANSWERED });
