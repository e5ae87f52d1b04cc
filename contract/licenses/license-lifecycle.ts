import { z } from 'zod';
import { currencyCode } from '../base/numbers.ts';
import { isExpired } from '../base/time.ts';
import type { LicenseStatus } from './licenses.fields.ts';

/** True for a trial. Its renewal needs a type, because the terms of a trial are not those of a sale (LIFE-02). */
export const isTrial = ({ status, license_type }: { status: LicenseStatus; license_type: string }) =>
  status === 'trial' || license_type === 'trial';

/** The instant to which days are added: the end of the licence, or now if it has ended (LIFE-02, LIFE-03). */
export const countsFrom = ({ expiry_date }: { expiry_date: string }, now: Date): string =>
  isExpired(expiry_date, now) ? now.toISOString() : expiry_date;

export const TERM_KINDS = ['issue', 'renewal', 'upgrade', 'maintenance'] as const;
export type TermKind = (typeof TERM_KINDS)[number];

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
  })
  .meta({ id: 'LicenseTerm' });
export type LicenseTerm = z.infer<typeof licenseTerm>;

export const licenseTerms = z.object({ results: z.array(licenseTerm) }).meta({ id: 'LicenseTerms' });

export const renewalPreview = z
  .object({ starts: z.string(), ends: z.string(), price: z.number(), currency: currencyCode })
  .meta({ id: 'RenewalPreview' });
export type RenewalPreview = z.infer<typeof renewalPreview>;
