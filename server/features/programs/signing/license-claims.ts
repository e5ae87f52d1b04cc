import { hash, randomBytes } from 'node:crypto';
import { utcOffset } from '../../../../contract/base/time.ts';
import { graceUntil, type Refusal, usableUntil } from '../../../../contract/licenses/license-state.ts';
import type { MeterState } from '../../../../contract/licenses/meters.ts';
import {
  type LicenseClaims,
  PASSING_SECONDS,
  secondsOf,
  type TokenCall,
  type TokenUse,
  tokenEnd,
} from '../../../../contract/programs/license-token.ts';
import { countedInKey, lettersOfKey } from '../../../../contract/reading/license-keys.ts';
import { readFeatures } from '../../../db/features.ts';
import type { LicenseRecord } from '../../../db/tables.ts';

/** The facts about a licence that a token contains. */
export type TokenLicense = Pick<
  LicenseRecord,
  | 'id'
  | 'license_key'
  | 'status'
  | 'license_type'
  | 'features'
  | 'max_installations'
  | 'expiry_date'
  | 'grace_days'
  | 'updates_until'
  | 'offline_days'
> & { software_code: string };

type TokenFacts = {
  call: TokenCall;
  /** The key as sent by the program; in a file, the licence's key. */
  license_key: string;
  machine_id: string;
  nonce?: string | undefined;
  /** Null for an unknown key. */
  license: TokenLicense | null;
  /** Why the licence is not valid here; null if it is valid. */
  reason: Refusal | null;
  audience: string | null;
  /** Whether the machine has a seat now; without one the program must not store a valid answer. */
  hasSeat: boolean;
  /** For how many days it may store an answer with a seat. */
  days: number;
  /** The end of a floating seat's lease; null or absent for a fixed one (PROG-05). */
  leaseUntil?: string | null;
  /** The licence's meters; absent without any (CODE-01). */
  meters?: MeterState[] | undefined;
  /** What became of the reported records; absent in answers to other calls. */
  uses?: TokenUse[] | undefined;
};

const sha256 = (text: string) => hash('sha256', text);

/**
 * The characters of a sent key that are hashed. Those that programs count must hold the licence's own key: else a
 * relay could add a real key to an invented one in letters that are not counted, such as those of full width, and get
 * a valid answer for the invented one (INPUT-10).
 */
function hashedOf(sent: string, license: TokenLicense | null): string {
  const counted = countedInKey(sent);
  const isNamed = license !== null && counted.includes(countedInKey(license.license_key));
  return isNamed ? counted : lettersOfKey(sent);
}

/**
 * The claims of a token (PROG-01). For an unknown key `key_hash` is computed from all sent characters. With only the
 * letters of a key, the refusal of a real key with one additional character would look like a refusal of the real
 * key.
 */
export function licenseClaims(
  {
    call,
    license_key,
    machine_id,
    nonce,
    license,
    reason,
    audience,
    hasSeat,
    days,
    leaseUntil,
    meters,
    uses,
  }: TokenFacts,
  { issuer, now, timeZone }: { issuer: string; now: Date; timeZone: string },
): LicenseClaims {
  const iat = secondsOf(now);
  // A program must not keep the answer to a usage report.
  const isKept = license !== null && reason === null && hasSeat && uses === undefined;
  return {
    iss: issuer,
    aud: audience,
    sub: license === null ? null : String(license.id),
    iat,
    nbf: iat,
    exp: isKept
      ? tokenEnd({ ...license, leaseUntil: leaseUntil ?? null }, days, now, timeZone)
      : iat + PASSING_SECONDS,
    jti: randomBytes(16).toString('base64url'),
    ...(nonce !== undefined && { nonce }),
    mid: sha256(machine_id),
    key_hash: sha256(hashedOf(license_key, license)),
    call,
    seat: hasSeat,
    valid: license !== null && reason === null,
    reason,
    status: license?.status ?? null,
    license_type: license?.license_type ?? null,
    features: license === null ? null : readFeatures(license.features),
    seats: license?.max_installations ?? null,
    license_expires: license?.expiry_date ?? null,
    usable_until: license === null ? null : usableUntil(license, timeZone),
    updates_until: license?.updates_until ?? null,
    utc_offset: utcOffset(now, timeZone),
    in_grace: license === null ? null : reason === null && graceUntil(license, now, timeZone) !== null,
    ...(meters !== undefined && { meters }),
    ...(uses !== undefined && { uses }),
  };
}
