import { z } from 'zod';
import { NAME_REQUIRED } from '../base/required.ts';
import { requiredLine, whenMissing } from '../base/text.ts';
import { PASSKEY_MESSAGES } from './passkey-messages.ts';

/** Passkeys: a way to sign in beside the password (SIGN-01). */

export { PASSKEY_MESSAGES, PASSKEY_RESULTS, PASSKEYS_MAX } from './passkey-messages.ts';

/** How long a challenge is valid, in milliseconds. */
export const PASSKEY_CHALLENGE_MS = 5 * 60_000;

const NAME_MAX = 100;

const passkeyName = requiredLine(NAME_MAX, NAME_REQUIRED);

/**
 * What the browser's call for a passkey gives back, as JSON (WebAuthn Level 3). Its parts are read on the server: one
 * that is not of the form is a wrong response, like any other that does not prove anything.
 */
const browserResponse = z.looseObject({}, { error: whenMissing(PASSKEY_MESSAGES.responseRequired) });

/** The options for the browser's call (WebAuthn Level 3), as JSON. */
const browserOptions = z.looseObject({ challenge: z.string() });

export const passkeyOptions = z.object({ options: browserOptions }).meta({ id: 'PasskeyOptions' });

export const passkeyCreate = z.object({ response: browserResponse, name: passkeyName });

export const passkeyUpdate = z.object({ name: passkeyName });

const passkey = z
  .object({
    id: z.number().int(),
    name: z.string(),
    created_at: z.string(),
    last_used_at: z.string().nullable(),
    /** The host name for which the passkey was made. It signs in only there. */
    rp_id: z.string(),
    /** Whether it is kept in an account, and so on other devices too. */
    synced: z.boolean(),
  })
  .meta({ id: 'Passkey' });
export type Passkey = z.infer<typeof passkey>;
export { passkey };

export const passkeyList = z.object({ results: z.array(passkey) }).meta({ id: 'PasskeyList' });

/** The options of a sign-in, and the token that goes back with the response. */
export const passkeySignInOptions = z
  .object({ options: browserOptions, token: z.string() })
  .meta({ id: 'PasskeySignInOptions' });

/** Proof by a passkey: the token of the options, and the browser's response to them. */
export const passkeyProof = z.object({
  token: z.string({ error: whenMissing(PASSKEY_MESSAGES.tokenRequired) }).max(200),
  response: browserResponse,
});
export type PasskeyProof = z.output<typeof passkeyProof>;
