import type * as OpenId from 'openid-client';
import type { AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { networkOf } from '../../../http/caller-address.ts';
import { countFailures, refuseReached } from '../../../limits/throttle.ts';
import { Turns } from '../../../limits/turns.ts';
import type { Visitor } from '../sign-in/callers.ts';
import { type Claims, isStrong, namesOf, roleOf, type Said, verifiedMail } from './claims.ts';
import { callbackUrl, findIssuer, type Issuer, oidcOf } from './issuer.ts';
import { oidcLimits } from './oidc-limits.ts';
import { keepIdentity } from './oidc-tokens.ts';
import { nonceOf, START_MS, type Start, startOf, verifierOf } from './start-state.ts';

/** What the browser brought back from the issuer: the query of the callback, and the cookie of its start. */
type Answer = { query: URLSearchParams; cookie: string | null };

/** Why a callback is refused before the issuer is asked. */
class RefusedAnswer extends Error {
  override name = 'RefusedAnswer';
}

/** How many callbacks of an address may wait for the issuer at once. */
const turns = new Turns(4, 100);

/** Clocks of the issuer and of this machine may differ by so much. */
const CLOCK_MS = 30_000;

/**
 * Exchanges the code of a callback for what the issuer says of the person. Only answers to a start of this browser cost a
 * call to the issuer.
 * @returns the token for {@link takeIdentity}
 * @throws RefusedAnswer, rateLimited (429), or an error of the library: of the issuer, the connection, or a false token
 */
export async function receive(
  context: AppContext,
  { query, cookie }: Answer,
  { origin, signal }: Pick<Visitor, 'origin' | 'signal'>,
): Promise<string> {
  const { db, now } = context;
  const state = query.get('state') ?? '';
  const start = cookie === null ? null : startOf(context, cookie, state, now());
  if (cookie === null || start === null) throw new RefusedAnswer('not the answer to a start of this browser');
  const limits = oidcLimits(origin);
  await refuseReached(db, limits, now());
  try {
    const issuer = await findIssuer(context);
    const { subject, claims } = await turns.run(networkOf(origin.ip), signal, () =>
      exchange(context, issuer, { query, cookie, state, start }),
    );
    return await keepIdentity(context, cookie, { issuer: issuerOf(issuer), subject, claims });
  } catch (error) {
    if (!(error instanceof AppError)) await countFailures(db, limits, now());
    throw error;
  }
}

const issuerOf = ({ configurations }: Issuer) => configurations[0]!.serverMetadata().issuer;

type Begun = { query: URLSearchParams; cookie: string; state: string; start: Start };

async function exchange(
  context: AppContext,
  issuer: Issuer,
  { query, cookie, state, start }: Begun,
): Promise<{ subject: string; claims: Claims }> {
  const url = new URL(`${callbackUrl(context.config)}?${query}`);
  const { tokens, configuration } = await grant(issuer, url, {
    expectedState: state,
    expectedNonce: nonceOf(context, cookie, state),
    pkceCodeVerifier: verifierOf(context, cookie, state),
    idTokenExpected: true,
    ...(start.isStepUp && { maxAge: START_MS / 1000 }),
  });
  const id: Said = tokens.claims() ?? {};
  const subject = String(id.sub);
  const { roleClaim } = oidcOf(context);
  const isMissing = id.email === undefined || (roleClaim !== null && id[roleClaim] === undefined);
  const asksMore = isMissing && configuration.serverMetadata().userinfo_endpoint !== undefined;
  const more: Said = asksMore
    ? await issuer.client.fetchUserInfo(configuration, tokens.access_token, subject)
    : {};
  const authTime = typeof id.auth_time === 'number' ? id.auth_time * 1000 : null;
  return {
    subject,
    claims: {
      // Address and its verification come from one place.
      email: verifiedMail(id.email === undefined ? more : id),
      ...namesOf({ ...more, ...id }),
      role: roleClaim === null ? null : roleOf(id[roleClaim] ?? more[roleClaim]),
      isStrong: isStrong(id),
      authTime: authTime === null ? null : new Date(authTime).toISOString(),
      isFresh: start.isStepUp && authTime !== null && authTime >= start.at.getTime() - CLOCK_MS,
    },
  };
}

/** Exchanges the code. The issuer looks at the client's secret first, so a refused way to send it costs no code. */
async function grant(
  { client, configurations }: Issuer,
  url: URL,
  checks: OpenId.AuthorizationCodeGrantChecks,
) {
  for (const [index, configuration] of configurations.entries()) {
    try {
      const tokens = await client.authorizationCodeGrant(configuration, url, { ...checks });
      return { tokens, configuration };
    } catch (error) {
      const isLast = index === configurations.length - 1;
      if (isLast || !isClientRefused(client, error)) throw error;
    }
  }
  throw new RefusedAnswer('the issuer offers no way to send the secret');
}

const isClientRefused = (client: typeof OpenId, error: unknown): boolean =>
  (error instanceof client.ResponseBodyError && error.error === 'invalid_client') ||
  (error instanceof client.WWWAuthenticateChallengeError && error.status === 401);
