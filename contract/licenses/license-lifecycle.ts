import { z } from 'zod';
import { VALIDITY_DAYS_MAX } from '../base/limits.ts';
import { currencyCode, positiveCount, positiveMoney, reference } from '../base/numbers.ts';
import { isCalendarDay, optionalLine, requiredLine } from '../base/text.ts';
import { isExpired } from '../base/time.ts';
import { LICENSE_CATEGORIES, LICENSE_MESSAGES, type LicenseStatus } from './licenses.ts';

/** A trial is renewed with a type, because its own terms are not those of a sale (LIFE-02). */
export const isTrial = ({ status, license_type }: { status: LicenseStatus; license_type: string }) =>
  status === 'trial' || license_type === 'trial';

/** The instant from which added days count: the end of a licence while it holds, else now (LIFE-02, LIFE-03). */
export const countsFrom = ({ expiry_date }: { expiry_date: string }, now: Date): string =>
  isExpired(expiry_date, now) ? now.toISOString() : expiry_date;

export const LIFECYCLE_MESSAGES = {
  typeForTrial: 'Elige el tipo de licencia con el que sigue la prueba',
  endBeforeStart: 'La nueva fecha debe ser posterior al inicio del periodo',
  reason: 'El motivo es obligatorio',
  days: 'Los días de prórroga deben estar entre 1 y 60',
  sameClient: 'La licencia ya es de este cliente',
  inactiveClient: 'El cliente no está activo',
} as const;

export const EXTENSION_DAYS_MAX = 60;
const reason = optionalLine(500).prefault('');

const expiryDay = z
  .string()
  .trim()
  .refine(
    (text) => isCalendarDay(text) && /^(19|[2-9]\d)\d\d-/.test(text) && !text.startsWith('9999'),
    LICENSE_MESSAGES.expiryDate,
  );

const renewalTerms = {
  expiry_days: positiveCount(LICENSE_MESSAGES.expiryDays, VALIDITY_DAYS_MAX).optional(),
  /** A day; the term ends with it. It wins over `expiry_days`. */
  expiry_date: expiryDay.optional(),
  price: positiveMoney(LICENSE_MESSAGES.price).optional(),
  /** The currency of `price`; absent: that of the type that is named, else that of the licence. */
  currency: currencyCode.optional(),
  license_type_config: reference(LICENSE_MESSAGES.type).optional(),
  license_type: z.enum(LICENSE_CATEGORIES, LICENSE_MESSAGES.category).optional(),
  /** Where the new term begins: at the end of the last one, or now. */
  from: z.enum(['expiry', 'today'], 'Indica expiry o today').optional(),
};

/** Absent terms come from the catalogue type, else from the last term (LIFE-02). */
export const licenseRenewal = z.object({ ...renewalTerms, notify: z.boolean().default(true), reason });
export const licenseRenewalPreview = z.object(renewalTerms);

export const licenseSuspension = z.object({ reason, notify: z.boolean().default(false) });
export const licenseReinstatement = z.object({
  /** Adds the days of the suspension to the end. */
  extend: z.boolean().default(false),
  notify: z.boolean().default(false),
});
export const licenseCancellation = z.object({ reason, notify: z.boolean().default(false) });
export const licenseExtension = z.object({
  days: positiveCount(LIFECYCLE_MESSAGES.days).max(EXTENSION_DAYS_MAX, LIFECYCLE_MESSAGES.days),
  reason: requiredLine(500, LIFECYCLE_MESSAGES.reason),
  notify: z.boolean().default(true),
});
export const licenseTransfer = z.object({
  client: reference(LICENSE_MESSAGES.client),
  release_seats: z.boolean().default(true),
  notify: z.boolean().default(true),
  reason,
});
export const licenseKeyReplacement = z.object({ reason, notify: z.boolean().default(true) });

export const TERM_KINDS = ['issue', 'renewal', 'upgrade'] as const;
export type TermKind = (typeof TERM_KINDS)[number];

/** One sale of a licence: its first term, or a renewal (LIFE-01). */
export const licenseTerm = z
  .object({
    id: z.number().int(),
    kind: z.enum(TERM_KINDS),
    license_type_config: z.number().int().nullable(),
    starts: z.string(),
    ends: z.string().nullable(),
    price: z.number(),
    currency: currencyCode,
    promotion_name: z.string(),
    created_at: z.string(),
    /** Who sold it; null for a licence that was stored without an event. */
    actor: z.object({ kind: z.string(), id: z.number().int().nullable(), name: z.string() }).nullable(),
  })
  .meta({ id: 'LicenseTerm' });
export type LicenseTerm = z.infer<typeof licenseTerm>;

export const licenseTerms = z.object({ results: z.array(licenseTerm) }).meta({ id: 'LicenseTerms' });

/** What a renewal would be. */
export const renewalPreview = z
  .object({ starts: z.string(), ends: z.string(), price: z.number(), currency: currencyCode })
  .meta({ id: 'RenewalPreview' });
export type RenewalPreview = z.infer<typeof renewalPreview>;
