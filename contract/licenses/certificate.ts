import { z } from 'zod';
import { isExpired } from '../base/time.ts';
import { LICENSE_KEY_ALPHABET } from '../reading/license-keys.ts';
import { LICENSE_STATUSES, type LicenseStatus } from './licenses.fields.ts';

/** The certificate of a licence ('Constancia') and the public page that checks it (LIFE-12). */

export const CERTIFICATE_MESSAGES = { notFound: 'No hay ninguna constancia con este código' } as const;

/** The path of the public page, without the code. */
export const VERIFY_PATH = '/verificar';

/** Four groups of four letters: 80 random bits. The form differs from that of a licence key. */
export const CERTIFICATE_CODE = { groups: 4, letters: 4, alphabet: LICENSE_KEY_ALPHABET } as const;

/** Brings a typed code into its stored form: upper case, in groups. */
export const normalizeCertificateCode = (code: string) =>
  (
    code
      .toUpperCase()
      .replace(/[^0-9A-Z]/g, '')
      .match(/.{1,4}/g) ?? []
  ).join('-');

/** Articles and what joins the words of a name. They say nothing about whose name it is. */
const JOINING = new Set('a al con da das de del do dos e el en la las lo los o para por u y'.split(' '));

/**
 * Hides a name except for its initials and the words between them: 'Transportes del Centro' becomes 'T••• del C•••'.
 * The number of letters is hidden too (LIFE-12, DESK-08). The last word is always hidden: it never only joins.
 */
export const maskName = (name: string) =>
  name
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word, place, words) =>
      place < words.length - 1 && JOINING.has(word.toLowerCase()) ? word : `${[...word][0]}•••`,
    )
    .join(' ');

/** The status that people see: past its expiry date a licence is 'expired', also during its grace (D066, LIFE-13). */
export const shownStatus = (
  { status, expiry_date }: { status: LicenseStatus; expiry_date: string | null },
  now: Date,
): LicenseStatus =>
  (status === 'active' || status === 'trial') && isExpired(expiry_date, now) ? 'expired' : status;

/** The vendor's data that a certificate and the public page show. */
export const vendor = z
  .object({
    name: z.string(),
    support_email: z.string(),
    accent_color: z.string(),
    /** The URL of the logo on this server; null if there is none. */
    logo: z.string().nullable(),
  })
  .meta({ id: 'Vendor' });
export type Vendor = z.infer<typeof vendor>;

/** The data that a certificate shows in addition to those of the licence. */
export const certificate = z
  .object({
    code: z.string(),
    /** The URL of the public page for this code, shown as a QR code. */
    url: z.string(),
    vendor,
  })
  .meta({ id: 'Certificate' });
export type Certificate = z.infer<typeof certificate>;

export const certificateCheck = z
  .object({
    success: z.literal(true),
    code: z.string(),
    status: z.enum(LICENSE_STATUSES),
    software_name: z.string(),
    software_version: z.string(),
    /** Only the initials of the client. */
    client_name: z.string(),
    issued_date: z.string(),
    expiry_date: z.string().nullable(),
    /** True if the term starts with the first activation, which has not happened yet (SELL-01). */
    pending_start: z.boolean(),
    /** The time zone in which the two dates are shown as days. */
    time_zone: z.string(),
    vendor,
  })
  .meta({ id: 'CertificateCheck' });
export type CertificateCheck = z.infer<typeof certificateCheck>;
