import { onTestFinished } from 'vitest';
import type { TestApp } from './app.ts';
import { type OpenIdProvider, type Somebody, startOpenIdProvider } from './openid-provider.ts';

/** The steps of a sign-in with OpenID Connect, as a browser makes them (SIGN-02). */

/** Starts a provider, which is closed after the test. */
export async function openIdProvider(
  options?: Parameters<typeof startOpenIdProvider>[0],
): Promise<OpenIdProvider> {
  const provider = await startOpenIdProvider(options);
  onTestFinished(provider.close);
  return provider;
}

/** What a callback answered, with its path and the cookie of its start. */
type Back = { location: string; path: string; cookie: string };

/**
 * Starts, signs in at the provider and comes back.
 * @param how.wait runs before the browser comes back
 */
export async function comeBack(
  t: TestApp,
  provider: OpenIdProvider,
  somebody: Somebody,
  { stepUp = false, wait }: { stepUp?: boolean; wait?: () => void } = {},
): Promise<Back> {
  const url = `/api/auth/oidc/start/${stepUp ? '?step_up=1' : ''}`;
  const start = await t.call('GET', url, { token: null });
  const cookie = String(start.headers['set-cookie']).split(';')[0]!;
  const path = await provider.authorize(String(start.headers.location), somebody);
  wait?.();
  const { headers } = await t.call('GET', path, { token: null, headers: { cookie } });
  return { location: String(headers.location), path, cookie };
}

/** Signs in at the provider and gets the token of the callback, with the cookie that it needs. */
export async function tokenOf(
  t: TestApp,
  provider: OpenIdProvider,
  somebody: Somebody,
  how: { stepUp?: boolean } = {},
): Promise<{ token: string; cookie: string }> {
  const { location, cookie } = await comeBack(t, provider, somebody, how);
  const token = /^\/login#oidc=([\w-]{43})$/.exec(location)?.[1];
  if (token === undefined) throw new Error(`The callback led to ${location}.`);
  return { token, cookie };
}

export const finish = (t: TestApp, { token, cookie }: { token: string; cookie: string }) =>
  t.call('POST', '/api/auth/oidc/finish/', { body: { token }, token: null, headers: { cookie } });
