import { createHash, randomBytes } from 'node:crypto';
import { graceUntil } from '../../../contract/license-state.ts';
import {
  type LicenseClaims,
  PASSING_SECONDS,
  secondsOf,
  type TokenReason,
  tokenEnd,
} from '../../../contract/license-token.ts';
import { readFeatures } from '../../db/features.ts';
import type { LicenseRecord } from '../../db/tables.ts';

/** What a token says of a licence. */
export type TokenLicense = Pick<
  LicenseRecord,
  | 'id'
  | 'status'
  | 'license_type'
  | 'features'
  | 'max_installations'
  | 'expiry_date'
  | 'grace_days'
  | 'offline_days'
> & { software_code: string };

/** What a token answers. */
export type TokenFacts = {
  machine_id: string;
  nonce?: string | undefined;
  /** Null for an unknown key. */
  license: TokenLicense | null;
  /** Why the licence is not valid here; null when it is. */
  reason: TokenReason | null;
  audience: string | null;
  /** How long the program may keep a valid answer, in days; null for an answer that it must not keep. */
  days: number | null;
  /** When the lease of a floating seat ends; null or absent for a fixed one (PROG-05). */
  leaseUntil?: string | null;
};

/** The claims of a token (PROG-01). */
export function licenseClaims(
  { machine_id, nonce, license, reason, audience, days, leaseUntil = null }: TokenFacts,
  { issuer, now, timeZone }: { issuer: string; now: Date; timeZone: string },
): LicenseClaims {
  const iat = secondsOf(now);
  const isKept = license !== null && reason === null && days !== null;
  return {
    iss: issuer,
    aud: audience,
    sub: license === null ? null : String(license.id),
    iat,
    nbf: iat,
    exp: isKept ? tokenEnd({ ...license, leaseUntil }, days, now, timeZone) : iat + PASSING_SECONDS,
    jti: randomBytes(16).toString('base64url'),
    ...(nonce !== undefined && { nonce }),
    mid: createHash('sha256').update(machine_id).digest('hex'),
    valid: license !== null && reason === null,
    reason,
    status: license?.status ?? null,
    license_type: license?.license_type ?? null,
    features: license === null ? null : readFeatures(license.features),
    seats: license?.max_installations ?? null,
    license_expires: license?.expiry_date ?? null,
    in_grace: license === null ? null : reason === null && graceUntil(license, now, timeZone) !== null,
  };
}
