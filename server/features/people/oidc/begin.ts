import type { AppContext } from '../../../context.ts';
import { createToken } from '../../../lib/secret.ts';
import { callbackUrl, findIssuer, oidcOf } from './issuer.ts';
import { nonceOf, type Start, stateOf, verifierOf } from './start-state.ts';

/**
 * With any `max_age` the issuer must say when the person proved who they are (OpenID Connect Core 1.0, 2). This one is
 * so long that it asks nobody again.
 */
const ANY_AGE_SECONDS = 30 * 24 * 3600;

/**
 * Begins a sign-in: the address of the issuer to which the browser goes, and the cookie that binds its answer to this
 * browser.
 * @throws notFound (404) without OIDC_ISSUER; an error of the library when the issuer cannot be reached
 */
export async function begin(
  context: AppContext,
  { isStepUp }: Pick<Start, 'isStepUp'>,
): Promise<{ url: string; cookie: string }> {
  const oidc = oidcOf(context);
  const { client, configurations } = await findIssuer(context);
  const [configuration] = configurations as [(typeof configurations)[number]];
  const cookie = createToken();
  const state = stateOf(context, cookie, { at: context.now(), isStepUp });
  const scopes = configuration.serverMetadata().scopes_supported ?? [];
  // Some issuers give the claim of roles only with the scope of its name.
  const roleScope = oidc.roleClaim !== null && scopes.includes(oidc.roleClaim) ? [oidc.roleClaim] : [];
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackUrl(context.config),
    scope: ['openid', 'profile', 'email', ...roleScope].join(' '),
    state,
    nonce: nonceOf(context, cookie, state),
    code_challenge: await client.calculatePKCECodeChallenge(verifierOf(context, cookie, state)),
    code_challenge_method: 'S256',
    ...(isStepUp ? { prompt: 'login', max_age: '0' } : { max_age: String(ANY_AGE_SECONDS) }),
  });
  return { url: url.href, cookie };
}
