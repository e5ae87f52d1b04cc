import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import type { Passkey } from '../../contract/people/passkeys.ts';
import { passkeyFailures } from '../text/es-passkeys.ts';
import { ApiError } from './api-error.ts';
import { request } from './http.ts';

/** Calls for which the browser asks the person for a passkey (SIGN-01). Loaded when a button needs them. */

const PASSKEYS = '/api/auth/passkeys/';

/** The browser gave no passkey. The message says why, for the person. */
export class NoPasskey extends Error {
  override name = 'NoPasskey';
}

/** Why a browser gives none: the name of its exception (WebAuthn Level 3). It does not tell a refusal from a timeout. */
const REASONS: Record<string, string> = {
  NotAllowedError: passkeyFailures.unused,
  AbortError: passkeyFailures.unused,
  InvalidStateError: passkeyFailures.known,
};

async function fromBrowser<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw new NoPasskey(REASONS[name] ?? passkeyFailures.unsupported, { cause: error });
  }
}

/**
 * Asks the person for a passkey.
 * @returns what the calls of a sign-in and of a confirmed identity take
 * @throws {NoPasskey} if the browser gives none; {ApiError}
 */
export async function passkeyProof(): Promise<{ token: string; response: unknown }> {
  const { options, token } = await request<{
    options: Parameters<typeof startAuthentication>[0]['optionsJSON'];
    token: string;
  }>('POST', `${PASSKEYS}sign-in/options/`, { ownSession: {} });
  return { token, response: await fromBrowser(() => startAuthentication({ optionsJSON: options })) };
}

/**
 * Makes a passkey on this device, or where the person chooses.
 * @throws {NoPasskey} if the browser makes none, or one that the server does not take; {ApiError}
 */
export async function makePasskey(name: string): Promise<Passkey> {
  const { options } = await request<{ options: Parameters<typeof startRegistration>[0]['optionsJSON'] }>(
    'POST',
    `${PASSKEYS}options/`,
  );
  const response = await fromBrowser(() => startRegistration({ optionsJSON: options }));
  try {
    return await request<Passkey>('POST', PASSKEYS, { body: { response, name } });
  } catch (error) {
    // The response is no field of a form, so its message is the message of the failure.
    const [reason] = (error instanceof ApiError && error.fieldErrors.response) || [];
    throw reason === undefined ? error : new NoPasskey(reason, { cause: error });
  }
}
