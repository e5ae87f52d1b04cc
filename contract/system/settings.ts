import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { DEFAULT_CURRENCY } from '../base/limits.ts';
import { LOCALES, MONEY_MESSAGES } from '../base/money.ts';
import { currencyCode, discount, wholeNumber } from '../base/numbers.ts';
import { isEmail, line, optionalLine, requiredLine } from '../base/text.ts';
import { portalFeatures } from '../portal/portal-features.ts';
import { PORTAL_FEATURES, type PortalFeatures } from '../portal/portal-words.ts';

export { type Currency, LOCALES } from '../base/money.ts';

/** The vendor's settings: one set for the whole installation (MAIL-03). */

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

export const SETTINGS_MESSAGES = {
  nameRequired: 'El nombre de la empresa es obligatorio',
  email: 'El email no es válido',
  color: 'El color debe tener la forma #rrggbb. Ejemplo: #0f766e',
  contrast: 'El color es demasiado claro: sobre blanco no se lee. Elige uno más oscuro.',
  currency: MONEY_MESSAGES.currency,
  locale: 'Selecciona un formato válido',
  mfa: 'Selecciona quién debe usar la verificación en dos pasos',
  reminderDay: `Cada aviso es un número entero de días entre -${REMINDER_DAY_MAX} y ${REMINDER_DAY_MAX}`,
  reminderCount: `No puede haber más de ${REMINDER_DAYS_MAX_COUNT} avisos`,
  keyDays: `Los días de una clave deben ser un número entero entre 1 y ${API_KEY_DAYS_LIMIT}`,
  retention: `Los días deben ser un número entero entre 1 y ${RETENTION_DAYS_MAX}`,
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

const optionalEmail = line(254)
  .nullable()
  .transform((text) => text ?? '')
  .refine((text) => text === '' || isEmail(text), SETTINGS_MESSAGES.email);

/**
 * Days before the end at which a client is reminded; -1 is the day after the end. Stored without duplicates, in
 * descending order.
 */
const reminderDays = z
  .array(wholeNumber(-REMINDER_DAY_MAX, REMINDER_DAY_MAX, SETTINGS_MESSAGES.reminderDay))
  .max(REMINDER_DAYS_MAX_COUNT, SETTINGS_MESSAGES.reminderCount)
  .transform((days) => [...new Set(days)].sort((a, b) => b - a));

const retentionDays = (least: number, message: string) => wholeNumber(least, RETENTION_DAYS_MAX, message);

const fields = {
  /** The vendor's name, which clients see in mails, on the certificate and in the portal. */
  vendor_name: requiredLine(100, SETTINGS_MESSAGES.nameRequired),
  /** Where clients get help; '' shows no address. */
  support_email: optionalEmail,
  /** The sender's name in mails; '' means the vendor's name. */
  sender_name: optionalLine(100),
  /** The reply address of mails; '' means the sender's address. */
  reply_to: optionalEmail,
  accent_color: z
    .string(SETTINGS_MESSAGES.color)
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, SETTINGS_MESSAGES.color)
    .refine(
      (color) => !/^#[0-9a-f]{6}$/.test(color) || isReadableOnWhite(color),
      coded('not_allowed', SETTINGS_MESSAGES.contrast),
    ),
  currency: currencyCode,
  locale: z.enum(LOCALES, SETTINGS_MESSAGES.locale),
  reminders_enabled: z.boolean(),
  reminder_days: reminderDays,
  trial_reminder_days: reminderDays,
  mail_retention_days: retentionDays(1, SETTINGS_MESSAGES.retention),
  /** After how many days events are deleted; null: never (EVENT-06). */
  event_retention_days: retentionDays(EVENT_RETENTION_DAYS_MIN, SETTINGS_MESSAGES.eventRetention).nullable(),
  require_mfa: z.enum(MFA_REQUIREMENTS, SETTINGS_MESSAGES.mfa),
  /** The longest validity of a new API key in days; null means no limit. */
  api_key_days_max: wholeNumber(1, API_KEY_DAYS_LIMIT, SETTINGS_MESSAGES.keyDays).nullable(),
  portal_enabled: z.boolean(),
  /** What clients may do in the portal (PORTAL-05). */
  portal_features: portalFeatures,
  /** The tax in percent that a payment request adds, if it sets no other (PAY-01). */
  tax_rate: discount,
  /** True if reminders contain a link to a payment request (PAY-07). */
  payment_in_reminders: z.boolean(),
};

const values = z.object(fields);
export type SettingsValues = z.output<typeof values>;

export const SETTINGS_DEFAULTS: SettingsValues = {
  vendor_name: 'License Manager',
  support_email: '',
  sender_name: '',
  reply_to: '',
  accent_color: '#0f766e',
  currency: DEFAULT_CURRENCY,
  locale: 'es-MX',
  reminders_enabled: true,
  reminder_days: [30, 7, 1, -1],
  trial_reminder_days: [3, 0],
  mail_retention_days: 90,
  event_retention_days: null,
  require_mfa: 'none',
  api_key_days_max: null,
  portal_enabled: false,
  // The type of Object.fromEntries loses the keys, so a cast restores them.
  portal_features: Object.fromEntries(PORTAL_FEATURES.map((name) => [name, true])) as PortalFeatures,
  tax_rate: 0,
  payment_in_reminders: false,
};

/**
 * A PUT keeps the fields that it does not send, also within `portal_features`. `updated_at` protects against
 * overwriting a newer version, like If-Match.
 */
export const settingsUpdate = z
  .object({ ...fields, portal_features: portalFeatures.partial(), updated_at: z.string().max(40) })
  .partial();
export type SettingsUpdate = z.output<typeof settingsUpdate>;

export const settings = z.object({
  vendor_name: z.string(),
  support_email: z.string(),
  sender_name: z.string(),
  reply_to: z.string(),
  accent_color: z.string(),
  currency: currencyCode,
  locale: z.enum(LOCALES),
  reminders_enabled: z.boolean(),
  reminder_days: z.array(z.number().int()),
  trial_reminder_days: z.array(z.number().int()),
  mail_retention_days: z.number().int(),
  event_retention_days: z.number().int().nullable(),
  require_mfa: z.enum(MFA_REQUIREMENTS),
  api_key_days_max: z.number().int().nullable(),
  portal_enabled: z.boolean(),
  portal_features: portalFeatures,
  tax_rate: z.number(),
  payment_in_reminders: z.boolean(),
  updated_at: z.string(),
});
export type Settings = z.infer<typeof settings>;

/** The settings in an answer; `logo_updated_at` is null if there is no logo. */
export const settingsAnswer = settings
  .extend({ logo_updated_at: z.string().nullable() })
  .meta({ id: 'Settings' });
export type SettingsAnswer = z.infer<typeof settingsAnswer>;
