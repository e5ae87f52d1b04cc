import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { labelsOf, type WritableFields } from '../base/fields.ts';
import { LABELS } from '../base/labels.ts';
import { DEFAULT_CURRENCY } from '../base/limits.ts';
import { LOCALES, MONEY_MESSAGES } from '../base/money.ts';
import { currencyCode, discount, wholeNumber } from '../base/numbers.ts';
import { line, optionalLine, requiredLine } from '../base/text.ts';
import { portalFeatures } from '../portal/portal-features.ts';
import { PORTAL_FEATURES, type PortalFeatures } from '../portal/portal-words.ts';
import { EMAIL_MAX, optionalMailAddress } from '../reading/mail-addresses.ts';
import { SETUP_STEPS } from './setup-steps.ts';

/** The vendor's settings: one set for the whole installation, in sections (MAIL-03). `absent` is the program's default. */

/** Who must sign in with a second factor (PEOPLE-05). */
const MFA_REQUIREMENTS = ['none', 'admins', 'all'] as const;

/** The largest number of days before or after the end of a licence at which a reminder is sent. */
export const REMINDER_DAY_MAX = 365;
export const REMINDER_DAYS_MAX_COUNT = 10;
const RETENTION_DAYS_MAX = 36_525;
/**
 * The shortest retention of events. Somebody who takes over an account must not be able to delete recent events
 * (EVENT-06).
 */
export const EVENT_RETENTION_DAYS_MIN = 90;
const API_KEY_DAYS_LIMIT = 3650;
const RECEIPT_LINE_MAX = 200;

export const SETTINGS_MESSAGES = {
  nameRequired: 'El nombre de la empresa es obligatorio',
  color: 'El color debe tener la forma #rrggbb. Ejemplo: #0f766e',
  contrast: 'El color es demasiado claro: sobre blanco no se lee. Elige uno más oscuro.',
  currency: MONEY_MESSAGES.currency,
  locale: 'Selecciona un formato válido',
  mfa: 'Selecciona quién debe usar la verificación en dos pasos',
  reminderDay: `Cada aviso es un número entero de días entre -${REMINDER_DAY_MAX} y ${REMINDER_DAY_MAX}`,
  reminderCount: `No puede haber más de ${REMINDER_DAYS_MAX_COUNT} avisos`,
  keyDays: `Los días de una clave deben ser un número entero entre 1 y ${API_KEY_DAYS_LIMIT}`,
  retention: `Los días deben ser un número entero entre 1 y ${RETENTION_DAYS_MAX}`,
  setup: 'Selecciona pasos válidos',
  eventRetention: `El historial se conserva al menos ${EVENT_RETENTION_DAYS_MIN} días: escribe un número entero entre ${EVENT_RETENTION_DAYS_MIN} y ${RETENTION_DAYS_MAX}`,
} as const;

/** The smallest allowed contrast of text on white (WCAG 2.2, 1.4.3). */
const CONTRAST_MIN = 4.5;

/** The contrast of a colour '#rrggbb' against white, from 1 to 21, as WCAG 2.2 defines it. */
export function contrastToWhite(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red, green, blue] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 1.05 / (0.2126 * red! + 0.7152 * green! + 0.0722 * blue! + 0.05);
}

/** True if text of this colour on white, and white text on this colour, is readable. */
export const isReadableOnWhite = (color: string): boolean => contrastToWhite(color) >= CONTRAST_MIN;

const optionalEmail = optionalMailAddress(line(EMAIL_MAX))
  .nullable()
  .transform((text) => text ?? '');

/**
 * Days before the end at which a client is reminded; -1 is the day after the end. Stored without duplicates, in
 * descending order.
 */
const reminderDays = z
  .array(wholeNumber(-REMINDER_DAY_MAX, REMINDER_DAY_MAX, SETTINGS_MESSAGES.reminderDay))
  .max(REMINDER_DAYS_MAX_COUNT, SETTINGS_MESSAGES.reminderCount)
  .transform((days) => [...new Set(days)].sort((a, b) => b - a));

const retentionDays = (least: number, message: string) => wholeNumber(least, RETENTION_DAYS_MAX, message);

/** In the order of the steps, each once. */
const setupSkipped = z
  .array(z.enum(SETUP_STEPS, SETTINGS_MESSAGES.setup))
  .max(100, SETTINGS_MESSAGES.setup)
  .transform((skipped) => SETUP_STEPS.filter((step) => skipped.includes(step)));

// The type of Object.fromEntries loses the keys, so a cast restores them.
const ALL_PORTAL_FEATURES = Object.fromEntries(PORTAL_FEATURES.map((name) => [name, true])) as PortalFeatures;

export const SETTINGS_FIELDS = {
  /** The vendor's name, which clients see in mails, on the certificate and in the portal. */
  vendor_name: {
    label: 'Nombre de la empresa',
    schema: requiredLine(100, SETTINGS_MESSAGES.nameRequired),
    absent: { value: 'License Manager' },
    answer: z.string(),
  },
  /** Who the vendor is on a receipt; '' leaves it out (MONEY-12). */
  legal_name: {
    label: 'Razón social',
    schema: optionalLine(RECEIPT_LINE_MAX),
    absent: { value: '' },
    answer: z.string(),
  },
  tax_id: {
    label: 'RFC/CUIT',
    schema: optionalLine(RECEIPT_LINE_MAX),
    absent: { value: '' },
    answer: z.string(),
  },
  address: {
    label: 'Domicilio',
    schema: optionalLine(RECEIPT_LINE_MAX),
    absent: { value: '' },
    answer: z.string(),
  },
  /** Where clients get help; '' shows no address. */
  support_email: {
    label: 'Email de soporte',
    schema: optionalEmail,
    absent: { value: '' },
    answer: z.string(),
  },
  /** The sender's name in mails; '' means the vendor's name. */
  sender_name: {
    label: 'Nombre del remitente',
    schema: optionalLine(100),
    absent: { value: '' },
    answer: z.string(),
  },
  /** The reply address of mails; '' means the sender's address. */
  reply_to: {
    label: 'Responder a',
    schema: optionalEmail,
    absent: { value: '' },
    answer: z.string(),
  },
  accent_color: {
    label: 'Color',
    schema: z
      .string(SETTINGS_MESSAGES.color)
      .trim()
      .toLowerCase()
      .regex(/^#[0-9a-f]{6}$/, SETTINGS_MESSAGES.color)
      .refine(
        (color) => !/^#[0-9a-f]{6}$/.test(color) || isReadableOnWhite(color),
        coded('not_allowed', SETTINGS_MESSAGES.contrast),
      ),
    absent: { value: '#0f766e' },
    answer: z.string(),
  },
  currency: {
    label: LABELS.currency,
    schema: currencyCode,
    absent: { value: DEFAULT_CURRENCY },
  },
  locale: {
    label: 'Formato de números y fechas',
    schema: z.enum(LOCALES, SETTINGS_MESSAGES.locale),
    absent: { value: 'es-MX' },
  },
  reminders_enabled: {
    label: 'Enviar avisos de vencimiento',
    schema: z.boolean(),
    absent: { value: true },
  },
  reminder_days: {
    label: 'Avisos de las licencias',
    schema: reminderDays,
    absent: { value: [30, 7, 1, -1] },
    answer: z.array(z.number().int()),
  },
  trial_reminder_days: {
    label: 'Avisos de las pruebas',
    schema: reminderDays,
    absent: { value: [3, 0] },
    answer: z.array(z.number().int()),
  },
  mail_retention_days: {
    label: 'Contenido de los correos, en días',
    schema: retentionDays(1, SETTINGS_MESSAGES.retention),
    absent: { value: 90 },
    answer: z.number().int(),
  },
  /** After how many days events are deleted; null: never (EVENT-06). */
  event_retention_days: {
    label: 'Historial y auditoría, en días',
    schema: retentionDays(EVENT_RETENTION_DAYS_MIN, SETTINGS_MESSAGES.eventRetention).nullable(),
    absent: { value: null },
    answer: z.number().int().nullable(),
  },
  require_mfa: {
    label: 'Verificación en dos pasos obligatoria',
    schema: z.enum(MFA_REQUIREMENTS, SETTINGS_MESSAGES.mfa),
    absent: { value: 'none' },
  },
  /** The longest validity of a new API key in days; null means no limit. */
  api_key_days_max: {
    label: 'Duración máxima de las claves de API, en días',
    schema: wholeNumber(1, API_KEY_DAYS_LIMIT, SETTINGS_MESSAGES.keyDays).nullable(),
    absent: { value: null },
    answer: z.number().int().nullable(),
  },
  portal_enabled: {
    label: 'Portal abierto',
    schema: z.boolean(),
    absent: { value: false },
  },
  /** What clients may do in the portal (PORTAL-05). */
  portal_features: {
    label: 'Qué pueden hacer tus clientes',
    schema: portalFeatures,
    absent: { value: ALL_PORTAL_FEATURES },
  },
  /** The tax in percent that a payment request adds, if it sets no other (PAY-01). */
  tax_rate: {
    label: 'Impuesto (%)',
    schema: discount,
    absent: { value: 0 },
    answer: z.number(),
  },
  /** True if reminders contain a link to a payment request (PAY-07). */
  payment_in_reminders: {
    label: 'Enlace de pago en los avisos de vencimiento',
    schema: z.boolean(),
    absent: { value: false },
  },
  /** First steps that nobody wants to take; the dashboard shows them as skipped (DESK-06). */
  setup_skipped: {
    label: 'Primeros pasos saltados',
    schema: setupSkipped,
    absent: { value: [] },
    answer: z.array(z.enum(SETUP_STEPS)),
  },
} as const satisfies WritableFields;

export type SettingsField = keyof typeof SETTINGS_FIELDS;

export const SETTINGS_LABELS = labelsOf(SETTINGS_FIELDS);
