import { z } from 'zod';
import type { Features } from '../licenses/features.ts';
import { usableUntil } from '../licenses/license-state.ts';
import type { Refusal } from '../licenses/license-verdict.ts';
import type { LicenseCategory, LicenseStatus } from '../licenses/licenses.ts';

/**
 * The signed answer for installed programs: a compact JWS of these claims under ES256 (PROG-01). Online answers, the
 * program's own copy for work without connection, and the file for a computer without network have this one format.
 * docs/offline.md describes it for authors of programs.
 */

export const TOKEN_ALGORITHM = 'ES256';
export const TOKEN_TYPE = 'license+jwt';
export const FILE_TYPE = 'license-file+jwt';

/** What a token answers. A program believes it only as the answer to the call that it made. */
export const TOKEN_CALLS = ['validate', 'activate', 'heartbeat', 'release', 'file'] as const;
export type TokenCall = (typeof TOKEN_CALLS)[number];

/** An answer that a program must not keep, such as a refusal, ends after this many seconds. */
export const PASSING_SECONDS = 5 * 60;

const DAY_SECONDS = 24 * 60 * 60;

/** Why a token says that the licence is not valid; also for a machine without a seat. */
export type TokenReason = Refusal;

/** The claims (PROG-01). Those about the licence are null for an unknown key. */
export type LicenseClaims = {
  iss: string;
  /** The code of the software; in refusals the software that was asked for, null where none was. */
  aud: string | null;
  /** The licence's id as text. */
  sub: string | null;
  /** Seconds since 1970, as are `nbf` and `exp`. */
  iat: number;
  nbf: number;
  exp: number;
  jti: string;
  /** As it was sent; a file has none. */
  nonce?: string;
  /** SHA-256 of the machine_id in UTF-8, hexadecimal. */
  mid: string;
  /**
   * SHA-256 of the key that was asked about, hexadecimal: of what `countedInKey` leaves of it. For an unknown key all
   * its letters count, so that a refusal of a key with one letter more is none of the real key.
   */
  key_hash: string;
  call: TokenCall;
  /** Whether the machine holds a seat at `iat`; false also in a refusal that is decided before seats are looked at. */
  seat: boolean;
  valid: boolean;
  reason: TokenReason | null;
  status: LicenseStatus | null;
  license_type: LicenseCategory | null;
  features: Features | null;
  seats: number | null;
  license_expires: string | null;
  /** The end of the licence with its grace; null without an end. */
  usable_until: string | null;
  /** The last day whose builds the licence may run; null: any build (SELL-02). */
  updates_until: string | null;
  /** Seconds that the vendor's clocks are ahead of UTC, so that programs count days as the console does (D136). */
  utc_offset: number;
  in_grace: boolean | null;
};

/** The terms that decide how long a token holds. */
type Terms = { expiry_date: string | null; grace_days: number; leaseUntil?: string | null };

/** Seconds since 1970, rounded down. */
export const secondsOf = (instant: Date | string): number => Math.floor(new Date(instant).getTime() / 1000);

/**
 * The end of a token that a program may keep: some days after now, and never after the end of the licence and its
 * grace (PROG-02, PROG-03), nor after the lease of a floating seat (PROG-05).
 * @returns seconds since 1970
 */
export function tokenEnd(terms: Terms, days: number, now: Date, timeZone: string): number {
  const ends = [usableUntil(terms, timeZone), terms.leaseUntil ?? null].filter((end) => end !== null);
  return Math.min(secondsOf(now) + days * DAY_SECONDS, ...ends.map(secondsOf));
}

/** The public half of a key that signs, as in the JWK Set. */
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

export const SIGNING_KEY_STATES = ['current', 'next', 'retired'] as const;
export type SigningKeyState = (typeof SIGNING_KEY_STATES)[number];

/** A key in the list for administrators. Its private half is in no answer. */
export const signingKey = z
  .object({
    kid: z.string(),
    state: z.enum(SIGNING_KEY_STATES),
    created_at: z.string(),
    /** When it began to sign; null for the next one. */
    current_since: z.string().nullable(),
    retired_at: z.string().nullable(),
    /** When it is deleted: all that it signed has ended by then. Null while it signs or will. */
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

/** `current`: the kid that is to be replaced, so that a repeated call does not rotate twice. */
export const signingKeyRotation = z.object({ current: z.string().max(100).optional() });
