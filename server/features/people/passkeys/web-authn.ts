import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { PASSKEY_CHALLENGE_MS } from '../../../../contract/people/passkeys.ts';
import type { PasskeyRow } from '../../../db/tables.ts';
import type { Use } from './passkeys.queries.ts';
import type { RelyingParty } from './relying-party.ts';
import {
  type Assertion,
  isFramed,
  PUBLIC_KEY_MAX,
  type Registration,
  transportsFrom,
  transportsText,
} from './responses.ts';

/** The checks of WebAuthn, by @simplewebauthn/server (SIGN-01, docs/decisions/167). */

/** The library is loaded by the first call that needs it: a server without passkeys never pays for it. */
const library = () => import('@simplewebauthn/server');

/**
 * EdDSA, ES256 and RS256: what authenticators have. The list is fixed, so that all replicas take the same keys
 * whatever their Node can do.
 */
const ALGORITHMS = [-8, -7, -257];

/** The person for whom a passkey is made. `handle` is base64url. */
type Owner = { handle: string; username: string; name: string };

type Known = Pick<PasskeyRow, 'credential_id' | 'transports'>;

/** The options for the browser's call that makes a passkey. */
export async function registrationOptions(
  { id }: RelyingParty,
  { owner, vendor, known, challenge }: { owner: Owner; vendor: string; known: Known[]; challenge: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpID: id,
    rpName: vendor,
    userID: new Uint8Array(Buffer.from(owner.handle, 'base64url')),
    userName: owner.username,
    userDisplayName: owner.name,
    challenge,
    timeout: PASSKEY_CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports: transportsFrom(transports),
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** The options for the browser's call that signs in: without a name, so that they tell nothing about anybody. */
export async function signInOptions(
  { id }: RelyingParty,
  challenge: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: id,
    challenge,
    timeout: PASSKEY_CHALLENGE_MS,
    userVerification: 'required',
  });
}

/** What is stored of a new passkey. */
export type NewCredential = Pick<
  PasskeyRow,
  'credential_id' | 'public_key' | 'counter' | 'transports' | 'synced'
>;

/**
 * Only a statement that says nothing of the authenticator, or that is signed by the passkey itself, is read. The
 * library would follow certificates of any other, and could ask the addresses in them for lists of revoked ones.
 */
async function isPlain(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = decoded.get('fmt');
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
}

/**
 * Checks the response of a browser that made a passkey.
 * @param challenge the challenge that was just used up, base64url
 * @returns null for a wrong response
 */
export async function checkRegistration(
  { id, origin }: RelyingParty,
  response: Registration,
  challenge: string,
): Promise<NewCredential | null> {
  const { verifyRegistrationResponse } = await library();
  try {
    const { clientDataJSON, attestationObject, transports = [] } = response.response;
    if (isFramed(clientDataJSON) || !(await isPlain(attestationObject))) return null;
    const { verified, registrationInfo: info } = await verifyRegistrationResponse({
      response: {
        ...response,
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified || !info.userVerified || info.credential.id !== response.id) return null;
    const { credential, credentialBackedUp } = info;
    if (credential.publicKey.length > PUBLIC_KEY_MAX) return null;
    return {
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: transportsText(transports),
      synced: credentialBackedUp,
    };
  } catch {
    // The library throws for whatever does not hold.
    return null;
  }
}

/**
 * Checks the response of a browser that used a passkey.
 * @param challenge the challenge that was just used up, base64url
 * @returns null for a wrong response, also for a counter that did not grow
 */
export async function checkAssertion(
  { id, origin }: RelyingParty,
  response: Assertion,
  challenge: string,
  passkey: PasskeyRow,
): Promise<Use | null> {
  const { verifyAuthenticationResponse } = await library();
  try {
    const { clientDataJSON, userHandle } = response.response;
    if (userHandle !== passkey.user_handle || isFramed(clientDataJSON)) return null;
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
    });
    if (!verified || !info.userVerified) return null;
    return { counter: info.newCounter, synced: info.credentialBackedUp };
  } catch {
    return null;
  }
}
