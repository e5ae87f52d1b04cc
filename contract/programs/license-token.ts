import { z } from 'zod';
import type { Features } from '../licenses/features.ts';
import { type Refusal, usableUntil } from '../licenses/license-state.ts';
import type { LicenseCategory, LicenseStatus } from '../licenses/licenses.fields.ts';
import type { MeterState } from '../licenses/meters.ts';

/**
 * The signed answer for installed programs: a compact JWS with these claims, signed with ES256 (PROG-01). Online
 * answers, the program's stored copy for offline use, and license files have this format. docs/offline.md describes it
 * for developers of programs.
 */

export const TOKEN_ALGORITHM = 'ES256';
export const TOKEN_TYPE = 'license+jwt';
export const FILE_TYPE = 'license-file+jwt';

/** The call that a token answers. A program must accept a token only if it answers the program's own call. */
const TOKEN_CALLS = ['validate', 'activate', 'heartbeat', 'release', 'usage', 'file'] as const;
export type TokenCall = (typeof TOKEN_CALLS)[number];

/** A token that a program must not store, such as a refusal, expires after this number of seconds. */
export const PASSING_SECONDS = 5 * 60;

const DAY_SECONDS = 24 * 60 * 60;

/** The claims of a token (PROG-01). Claims about the licence are null if the key is unknown. */
export type LicenseClaims = {
  iss: string;
  /** The code of the software. In refusals it is the software that the program sent, or null if it sent none. */
  aud: string | null;
  /** The licence's id as text. */
  sub: string | null;
  /** `iat`, `nbf` and `exp` are seconds since 1970. */
  iat: number;
  nbf: number;
  exp: number;
  jti: string;
  /** The nonce of the call; absent in a file. */
  nonce?: string;
  /** SHA-256 of the machine_id in UTF-8, hexadecimal. */
  mid: string;
  /**
   * SHA-256 of `countedInKey(key)` for the key in the call, hexadecimal. For an unknown key, the hash covers all
   * characters of the key, so that a refusal of a key with one more letter cannot be mistaken for a refusal of the
   * real key.
   */
  key_hash: string;
  call: TokenCall;
  /**
   * True if the machine holds a seat at `iat`. Also false in a refusal that was decided before the seats were checked.
   */
  seat: boolean;
  valid: boolean;
  reason: Refusal | null;
  status: LicenseStatus | null;
  license_type: LicenseCategory | null;
  features: Features | null;
  seats: number | null;
  license_expires: string | null;
  /** The end of the licence including its grace; null if it has no end. */
  usable_until: string | null;
  /** Builds released until this day may be used with the licence; null means any build (SELL-02). */
  updates_until: string | null;
  /** Seconds that the vendor's time zone is ahead of UTC, so that programs count days as the console does (D136). */
  utc_offset: number;
  in_grace: boolean | null;
  /** The meters in their present period; absent for a licence without meters (CODE-01). */
  meters?: MeterState[];
  /** Only in the answer to a usage report: what became of each record, in the order sent (CODE-01). */
  uses?: TokenUse[];
};

/**
 * A reported record in a token. Of one that counted before under its `request_id`, `code` and `amount` are those that
 * counted then, whatever the second one says: a relay may have sent another one first.
 */
export type TokenUse = {
  request_id: string;
  code: string | null;
  amount: number | null;
  accepted: boolean;
  /** Only where it was not accepted. */
  reason?: string;
  /** Only where it counted in a period that is not the present one. */
  past?: true;
};

/** The terms that limit how long a token is valid. */
type Terms = { expiry_date: string | null; grace_days: number; leaseUntil?: string | null };

/** Seconds since 1970, rounded down. */
export const secondsOf = (instant: Date | string): number => Math.floor(new Date(instant).getTime() / 1000);

/**
 * When a stored token expires: `days` days after now, but not after the end of the licence and its grace (PROG-02,
 * PROG-03), and not after the lease of a floating seat (PROG-05).
 * @returns seconds since 1970
 */
export function tokenEnd(terms: Terms, days: number, now: Date, timeZone: string): number {
  const ends = [usableUntil(terms, timeZone), terms.leaseUntil ?? null].filter((end) => end !== null);
  return Math.min(secondsOf(now) + days * DAY_SECONDS, ...ends.map(secondsOf));
}

/** The public half of a signing key, in the format of the JWK Set. */
export const publicJwk = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal(TOKEN_ALGORITHM),
});
export type PublicJwk = z.infer<typeof publicJwk>;

export const jwkSet = z.object({ keys: z.array(publicJwk) }).meta({ id: 'JwkSet' });

const SIGNING_KEY_STATES = ['current', 'next', 'retired'] as const;
export type SigningKeyState = (typeof SIGNING_KEY_STATES)[number];

/** A signing key in the list for administrators. No answer contains its private half. */
const signingKey = z
  .object({
    kid: z.string(),
    state: z.enum(SIGNING_KEY_STATES),
    created_at: z.string(),
    /** When it became the current key; null for the next key. */
    current_since: z.string().nullable(),
    retired_at: z.string().nullable(),
    /**
     * When it will be deleted: all tokens signed with it have expired by then. Null for the current and the next key.
     */
    kept_until: z.string().nullable(),
    public_jwk: publicJwk,
    public_pem: z.string(),
  })
  .meta({ id: 'SigningKey' });
export type SigningKey = z.infer<typeof signingKey>;

export const signingKeyList = z.object({ results: z.array(signingKey) }).meta({ id: 'SigningKeyList' });
export type SigningKeyList = z.infer<typeof signingKeyList>;

export const SIGNING_KEY_MESSAGES = {
  rotated: 'Otra persona ya rotó la clave. Revisa la lista.',
} as const;

/** `current` is the kid of the key to replace. It prevents that a repeated call rotates twice. */
export const signingKeyRotation = z.object({ current: z.string().max(100).optional() });
