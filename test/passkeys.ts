import { DEMO_ACCOUNT } from '../contract/people/auth.ts';
import { createTestApp, type TestApp, type TestAppOptions } from './app.ts';
import { type Authenticator, createAuthenticator, type Lies } from './authenticator.ts';

/** Helpers for tests of passkeys (SIGN-01). */

export const ORIGIN = 'http://localhost:3000';

/** An application at an address where passkeys are offered. */
export const createPasskeyApp = (
  options: TestAppOptions = { now: '2026-11-29T12:00:00Z' },
): Promise<TestApp> => createTestApp({ ...options, env: { PUBLIC_URL: ORIGIN } });

const PASSKEYS = '/api/auth/passkeys/';

type Caller = { token?: string | null };

export const optionsOf = (t: TestApp, caller: Caller = {}) => t.call('POST', `${PASSKEYS}options/`, caller);

/** Adds a passkey to the account of the caller. */
export async function addPasskey(
  t: TestApp,
  {
    authenticator = createAuthenticator(ORIGIN),
    name = 'Portátil',
    lies = {},
    ...caller
  }: Caller & { authenticator?: Authenticator; name?: string; lies?: Lies } = {},
) {
  const { body } = await optionsOf(t, caller);
  const response = authenticator.create(body.options, lies);
  const answer = await t.call('POST', PASSKEYS, { ...caller, body: { response, name } });
  return { authenticator, answer, response, options: body.options };
}

/** The options of a sign-in, with their token. */
export const signInOptions = async (t: TestApp) =>
  (await t.call('POST', `${PASSKEYS}sign-in/options/`, { token: null })).body;

export const sendProof = (t: TestApp, body: object, headers: Record<string, string> = {}) =>
  t.call('POST', `${PASSKEYS}sign-in/`, { token: null, body, headers });

/** Signs in with a passkey. */
export async function signInBy(t: TestApp, authenticator: Authenticator, lies: Lies = {}) {
  const { options, token } = await signInOptions(t);
  return sendProof(t, { token, response: authenticator.get(options, lies) });
}

/** Confirms the identity of a session's user with a passkey. */
export async function stepUpBy(
  t: TestApp,
  authenticator: Authenticator,
  lies: Lies = {},
  caller: Caller = {},
) {
  const { options, token } = await signInOptions(t);
  const passkey = { token, response: authenticator.get(options, lies) };
  return t.call('POST', '/api/auth/step-up/', { ...caller, body: { passkey } });
}

/** Another person, who has joined with a password, and the access token of a session of theirs. */
export async function joinAs(t: TestApp, username: string, role = 'operator') {
  const password = 'una clave larga de prueba 7';
  const { body } = await t.call('POST', '/licenses/api/users/', {
    body: { username, names: username, email: `${username}@example.com`, role },
  });
  const [, token] = body.link.split('#');
  const joined = await t.call('POST', '/api/auth/invitation/accept/', {
    token: null,
    body: { token, password },
  });
  return { id: body.id as number, token: joined.body.token as string, password };
}

export const ADMIN = DEMO_ACCOUNT;
