import type { AppContext } from '../../../context.ts';
import type { Db } from '../../../db/tables.ts';
import { createToken, hashToken } from '../../../lib/secret.ts';
import { countFailures, refuseReached } from '../../../limits/throttle.ts';
import type { Origin } from '../../../scope.ts';
import { invalidLink } from '../account/user-links.ts';
import type { Claims } from './claims.ts';
import { oidcLimits } from './oidc-limits.ts';

/** Tokens of callbacks: what the issuer said, for a minute, once, in the browser that went there. */

/** Somebody whom the issuer knows. Never the mail address: that may change, and go to somebody else. */
export type Identity = { issuer: string; subject: string; claims: Claims };

const REUSE_MS = 60_000;

/** @returns the token */
export async function keepIdentity(
  { db, now }: AppContext,
  cookie: string,
  { issuer, subject, claims }: Identity,
): Promise<string> {
  const token = createToken();
  await db
    .insertInto('oidc_tokens')
    .values({
      hash: hashToken(token),
      browser_hash: hashToken(cookie),
      issuer,
      subject,
      claims: JSON.stringify(claims),
      expires_at: new Date(now().getTime() + REUSE_MS).toISOString(),
    })
    .execute();
  return token;
}

/**
 * Uses a token up; of concurrent calls only one succeeds.
 * @param cookie the cookie of the browser's start; null without one
 * @throws AppError (400, invalid_token) for a wrong, used, old or another browser's token; rateLimited (429)
 */
export async function takeIdentity(
  { db, now }: AppContext,
  token: string,
  cookie: string | null,
  origin: Origin,
): Promise<Identity> {
  const limits = oidcLimits(origin);
  await refuseReached(db, limits, now());
  const stored = await db
    .deleteFrom('oidc_tokens')
    .where('hash', '=', hashToken(token))
    .where('browser_hash', '=', hashToken(cookie ?? ''))
    .where('expires_at', '>', now().toISOString())
    .returning(['issuer', 'subject', 'claims'])
    .executeTakeFirst();
  if (!stored) {
    await countFailures(db, limits, now());
    throw invalidLink();
  }
  const { issuer, subject } = stored;
  return { issuer, subject, claims: JSON.parse(stored.claims) as Claims };
}

/** Deletes tokens that nobody used. */
export async function deletePastIdentities(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('oidc_tokens').where('expires_at', '<=', now.toISOString()).execute();
}
