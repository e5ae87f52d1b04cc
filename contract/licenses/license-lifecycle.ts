import { z } from 'zod';
import { currencyCode } from '../base/numbers.ts';
import { isExpired } from '../base/time.ts';
import { TERM_PAYMENT_STATES } from '../payments/payment-words.ts';
import type { LicenseStatus } from './licenses.fields.ts';

/** True for a trial. Its renewal needs a type, because the terms of a trial are not those of a sale (LIFE-02). */
export const isTrial = ({ status, license_type }: { status: LicenseStatus; license_type: string }) =>
  status === 'trial' || license_type === 'trial';

/** The instant to which days are added: the end of the licence, or now if it has ended (LIFE-02, LIFE-03). */
export const countsFrom = ({ expiry_date }: { expiry_date: string }, now: Date): string =>
  isExpired(expiry_date, now) ? now.toISOString() : expiry_date;

export const TERM_KINDS = ['issue', 'renewal', 'upgrade', 'maintenance', 'seats'] as const;
export type TermKind = (typeof TERM_KINDS)[number];

/**
 * The kinds that only add to a licence: updates, or seats until its end. Price, end, length, extension and the rate of
 * renewals don't know them (SELL-02, MONEY-08).
 */
export const ADDED_KINDS = ['maintenance', 'seats'] as const satisfies TermKind[];
export const isAdded = (kind: TermKind): boolean => ADDED_KINDS.some((added) => added === kind);

/** One sale of a licence: its first term, or a renewal (LIFE-01). */
const licenseTerm = z
  .object({
    id: z.number().int(),
    kind: z.enum(TERM_KINDS),
    license_type_config: z.number().int().nullable(),
    /** Null while the licence waits for its first activation. */
    starts: z.string().nullable(),
    ends: z.string().nullable(),
    price: z.number(),
    currency: currencyCode,
    promotion_name: z.string(),
    /** True if nobody pays for it (MONEY-09). */
    complimentary: z.boolean(),
    created_at: z.string(),
    /** Who sold it; null if the licence was stored without an event. */
    actor: z.object({ kind: z.string(), id: z.number().int().nullable(), name: z.string() }).nullable(),
    /** Whether it was paid, and the id of its payment request; without one the vendor keeps that elsewhere (MONEY-05). */
    payment: z.object({
      state: z.enum(TERM_PAYMENT_STATES),
      request: z.number().int().nullable().meta({ description: 'Id del cobro / Id of the payment request' }),
    }),
  })
  .meta({ id: 'LicenseTerm' });
export type LicenseTerm = z.infer<typeof licenseTerm>;

/** Where a term in months begins, and the day of the month on which it ends, or the last of a shorter month (MONEY-10). */
const monthsFrom = z.object({
  from: z.string(),
  anchor: z
    .number()
    .int()
    .meta({ description: 'Día del mes en que termina / Day of the month on which it ends' }),
});
export type MonthsFrom = z.infer<typeof monthsFrom>;

export const licenseTerms = z
  .object({
    results: z.array(licenseTerm),
    /** From where changed months of the licence count; null while it waits for its first activation. */
    months_from: monthsFrom.nullable().meta({
      description:
        'Desde cuándo cuentan los meses que se cambian; null antes de la primera activación / From when changed months count; null before the first activation',
    }),
  })
  .meta({ id: 'LicenseTerms' });
export type LicenseTerms = z.infer<typeof licenseTerms>;

export const renewalPreview = z
  .object({ starts: z.string(), ends: z.string(), price: z.number(), currency: currencyCode })
  .meta({ id: 'RenewalPreview' });
export type RenewalPreview = z.infer<typeof renewalPreview>;

/** What add_seats would store: `ends` is null for a licence without an end (MONEY-08). */
export const seatsPreview = z
  .object({
    starts: z.string(),
    ends: z.string().nullable(),
    price: z.number(),
    currency: currencyCode,
    max_installations: z.number().int(),
  })
  .meta({ id: 'SeatsPreview' });
export type SeatsPreview = z.infer<typeof seatsPreview>;
