import type * as OpenId from 'openid-client';
import type { Config, OidcConfig } from '../../../config.ts';
import type { AppContext } from '../../../context.ts';
import { perDatabase } from '../../../db/per-database.ts';
import { notFound } from '../../../errors.ts';

/** The issuer of OIDC_ISSUER, as it describes itself. The library is loaded at the first sign-in. */

export type Issuer = {
  client: typeof OpenId;
  /**
   * One for each way to send the client's secret that the issuer offers. It does not say with which of them this client
   * is registered, so the next is tried when one is refused.
   */
  configurations: OpenId.Configuration[];
};

/** How long a description is kept, and how long a failure to get it, so that a flood of starts asks once. */
const KEPT_MS = 60 * 60_000;
const FAILED_MS = 5000;
const TIMEOUT_SECONDS = 8;

/** Signatures that need only what everybody knows, or the secret of the client, prove nothing of the issuer. */
const isUsable = (algorithm: string) => !/^(none|hs)/i.test(algorithm);

/** @throws notFound (404) where nobody signs in with OpenID Connect */
export function oidcOf({ config }: Pick<AppContext, 'config'>): OidcConfig {
  if (config.oidc === null) throw notFound();
  return config.oidc;
}

/** The address to which the issuer sends people back; it is registered there. */
export const callbackUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  `${publicUrl}/api/auth/oidc/callback/`;

type Kept = { oidc: OidcConfig; issuer: Promise<Issuer>; until: number };

const known = perDatabase((): { kept?: Kept } => ({}));

/**
 * The issuer.
 * @throws an error of the library, or of the connection, when its description cannot be had
 */
export function findIssuer(context: Pick<AppContext, 'config' | 'db'>): Promise<Issuer> {
  const oidc = oidcOf(context);
  const last = known(context.db);
  if (last.kept?.oidc === oidc && Date.now() < last.kept.until) return last.kept.issuer;
  const issuer = discover(oidc);
  last.kept = { oidc, issuer, until: Date.now() + KEPT_MS };
  issuer.catch(() => {
    last.kept = { oidc, issuer, until: Date.now() + FAILED_MS };
  });
  return issuer;
}

async function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<Issuer> {
  const client = await import('openid-client');
  const { protocol } = new URL(issuer);
  // The configuration admits http on this machine in demo mode only.
  const execute = protocol === 'http:' ? [client.allowInsecureRequests] : [];
  const options = { execute, timeout: TIMEOUT_SECONDS };
  const found = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, options);
  const { supportsPKCE: _helper, ...metadata } = found.serverMetadata();
  const algorithms = metadata.id_token_signing_alg_values_supported?.filter(isUsable);
  const usable = { ...metadata, ...(algorithms && { id_token_signing_alg_values_supported: algorithms }) };
  // OpenID Connect Discovery 1.0, 3: without the list it is client_secret_basic.
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const ways = [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)];
  const isOffered = [methods.includes('client_secret_basic'), methods.includes('client_secret_post')];
  const offered = ways.filter((_way, index) => isOffered[index]);
  const configurations = (offered.length === 0 ? ways : offered).map((way) => {
    const configuration = new client.Configuration(usable, clientId, undefined, way);
    configuration.timeout = TIMEOUT_SECONDS;
    for (const extend of execute) extend(configuration);
    // Without this the library trusts TLS to the token endpoint and does not look at the signature.
    client.enableNonRepudiationChecks(configuration);
    return configuration;
  });
  return { client, configurations };
}
