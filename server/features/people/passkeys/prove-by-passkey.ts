import type { z } from 'zod';
import {
  PASSKEY_MESSAGES,
  type PasskeyProof,
  type passkeySignInOptions,
} from '../../../../contract/people/passkeys.ts';
import type { AppContext } from '../../../context.ts';
import type { PasskeyRow } from '../../../db/tables.ts';
import { AppError, fault, invalid } from '../../../errors.ts';
import { createToken } from '../../../lib/secret.ts';
import { type Outcome, refuseReached, tryOnce } from '../../../limits/throttle.ts';
import { record } from '../../../records/record-event.ts';
import { inScope } from '../../../scope.ts';
import { confirmThrottle } from '../account/change-password.ts';
import {
  findUserById,
  getUserById,
  lockActiveUser,
  type SignedIn,
  signInWith,
  storeSignIn,
  userActor,
} from '../sign-in/auth.queries.ts';
import type { Person, Visitor } from '../sign-in/callers.ts';
import { inactiveUser } from '../sign-in/inactive-user.ts';
import {
  knowAddress,
  limitsOfAddress,
  passkeyKey,
  SIGN_IN_LIMIT,
  wideLimits,
} from '../sign-in/sign-in-limits.ts';
import { newChallenge, readChallenge, takeChallenge } from './challenges.ts';
import { findByCredential, storeUse, type Use } from './passkeys.queries.ts';
import { type RelyingParty, requireRelyingParty } from './relying-party.ts';
import { type Assertion, readAssertion } from './responses.ts';
import { checkAssertion, signInOptions } from './web-authn.ts';

/** Signing in with a passkey, and confirming one's identity with it (SIGN-01). */

/**
 * Begins a sign-in. It is the same for everybody, and stores nothing.
 * @throws conflict (409) where passkeys are not offered
 */
export async function optionsForSignIn(context: AppContext): Promise<z.input<typeof passkeySignInOptions>> {
  const relyingParty = requireRelyingParty(context.config);
  const token = createToken();
  const options = await signInOptions(relyingParty, newChallenge(context, { signIn: token }));
  return { options: { ...options }, token };
}

/** The passkey that a response names. */
async function named(
  { db }: AppContext,
  { response }: PasskeyProof,
  { id }: RelyingParty,
): Promise<{ assertion: Assertion; passkey: PasskeyRow } | null> {
  const assertion = readAssertion(response);
  const passkey = assertion && (await findByCredential(db, assertion.id, id));
  return passkey ? { assertion, passkey } : null;
}

/** Uses the challenge up, whatever the response is worth, and checks the response; null for a wrong one. */
async function prove(
  context: AppContext,
  relyingParty: RelyingParty,
  token: string,
  { assertion, passkey }: { assertion: Assertion; passkey: PasskeyRow },
): Promise<Use | null> {
  const challenge = readChallenge(context, { signIn: token }, assertion.response.clientDataJSON);
  if (!challenge || !(await takeChallenge(context.db, challenge))) return null;
  return checkAssertion(relyingParty, assertion, challenge.named, passkey);
}

const wrongProof = () => new AppError(401, 'invalid_code');

/**
 * Signs in with a passkey. It asks for no second factor: the authenticator has asked for the person's finger, face or
 * PIN. Only a right response gets the answer that an account is inactive.
 * @throws AppError (401, invalid_code; 403, user_inactive); rateLimited (429); conflict (409) where passkeys are not
 * offered
 */
export async function signInWithPasskey(
  context: AppContext,
  proof: PasskeyProof,
  { origin, userAgent, signal }: Visitor,
): Promise<SignedIn> {
  const { db, now } = context;
  const relyingParty = requireRelyingParty(context.config);
  const known = await named(context, proof, relyingParty);
  const user = known ? await findUserById(db, known.passkey.user_id) : undefined;
  const wide = user ? await wideLimits(db, user.username, origin, now()) : limitsOfAddress(origin);
  const throttle = {
    db,
    // Without a known passkey nobody is meant: such tries of an address have a counter of their own.
    key: passkeyKey(user?.username ?? '', origin),
    limit: SIGN_IN_LIMIT,
    now,
    signal,
    enter: async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
      await refuseReached(db, wide, now());
      return attempt();
    },
    also: () => wide,
  };
  const signedIn = await tryOnce<SignedIn>(throttle, async () => {
    if (!known || !user) return { failure: wrongProof() };
    const use = await prove(context, relyingParty, proof.token, known);
    return inScope<Outcome<SignedIn>>(context, { actor: userActor(user), origin }, async (scope) => {
      const { tx } = scope;
      const subject = userActor(user);
      const isActive = await lockActiveUser(tx, user.id);
      if (use && !isActive) throw inactiveUser();
      if (!use || !(await storeUse(tx, known.passkey.id, use, scope.now))) {
        await record(scope, { type: 'user.sign_in_failed', subject });
        return { failure: wrongProof() };
      }
      const changes = { passkey: { before: null, after: known.passkey.name } };
      await record(scope, { type: 'user.signed_in', subject, changes });
      await storeSignIn(tx, user.id, scope.now);
      const opening = { opened_by: 'passkey', mfa_met: true, passkey_id: known.passkey.id } as const;
      return { success: await signInWith(scope, user, userAgent, opening) };
    });
  });
  if (user) await knowAddress(db, user.username, origin, now());
  return signedIn;
}

/**
 * Confirms the identity of a session's user with one of the user's own passkeys. Wrong tries count with wrong
 * passwords.
 * @throws invalid (400) on `passkey`; rateLimited (429); conflict (409) where passkeys are not offered
 */
export async function confirmByPasskey(
  context: AppContext,
  proof: PasskeyProof,
  { session, signal }: Person,
): Promise<void> {
  const { db, now } = context;
  const relyingParty = requireRelyingParty(context.config);
  const { id } = await getUserById(db, session.userId);
  await tryOnce<true>(confirmThrottle(context, id, signal), async () => {
    const known = await named(context, proof, relyingParty);
    const isOwn = known?.passkey.user_id === id;
    const use = known && isOwn ? await prove(context, relyingParty, proof.token, known) : null;
    const isRight = known && use && (await storeUse(db, known.passkey.id, use, now()));
    return isRight
      ? { success: true }
      : { failure: invalid({ passkey: [fault('invalid', PASSKEY_MESSAGES.wrong)] }) };
  });
}
