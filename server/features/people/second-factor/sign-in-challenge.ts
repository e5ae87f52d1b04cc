import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { mfaVerify } from '../../../../contract/people/account.ts';
import type { AppContext } from '../../../context.ts';
import type { Db, Tables, UserRow } from '../../../db/tables.ts';
import { AppError } from '../../../errors.ts';
import { createToken, hashToken } from '../../../lib/secret.ts';
import type { Outcome } from '../../../limits/throttle.ts';
import { record } from '../../../records/record-event.ts';
import type { Scope } from '../../../scope.ts';
import { followRole } from '../oidc/follow-role.ts';
import {
  findUserById,
  lockActiveUser,
  type SignedIn,
  signInWith,
  storeSignIn,
  userActor,
} from '../sign-in/auth.queries.ts';
import type { Visitor } from '../sign-in/callers.ts';
import { knowAddress } from '../sign-in/sign-in-limits.ts';
import { lockAdmins } from '../users/users.queries.ts';
import { acceptCode, tryCode } from './codes.ts';

/** Sign-ins that wait for their second factor (PEOPLE-05). */

const CHALLENGE_MS = 5 * 60_000;

/** What the second step needs to know of the first: the way in, and the role that the issuer gave (SIGN-02). */
type FirstStep = Pick<Selectable<Tables['mfa_challenges']>, 'opened_by' | 'role'>;

/**
 * Begins the second step of a sign-in whose password, or what stands for it, was right.
 * @throws AppError (401, mfa_required) with the token for the second step
 */
export async function askForSecondFactor(
  db: Db,
  user: UserRow,
  now: Date,
  first: FirstStep = { opened_by: 'password', role: null },
): Promise<never> {
  const token = createToken();
  await db
    .insertInto('mfa_challenges')
    .values({
      hash: hashToken(token),
      user_id: user.id,
      ...first,
      expires_at: new Date(now.getTime() + CHALLENGE_MS).toISOString(),
    })
    .execute();
  throw new AppError(401, 'mfa_required', { mfaToken: token });
}

const invalidCode = () => new AppError(401, 'invalid_code');

/**
 * Completes a sign-in with a code of the authenticator app or a recovery code.
 * @throws AppError (401, invalid_code) also for an unknown, used or expired token; rateLimited (429)
 */
export async function verifySecondFactor(
  context: AppContext,
  { mfa_token, code }: z.output<typeof mfaVerify>,
  client: Visitor,
): Promise<SignedIn> {
  const { db, now } = context;
  const challenge = await db
    .selectFrom('mfa_challenges')
    .select('user_id')
    .where('hash', '=', hashToken(mfa_token))
    .where('expires_at', '>', now().toISOString())
    .executeTakeFirst();
  const user = challenge && (await findUserById(db, challenge.user_id));
  if (!user) throw invalidCode();
  const signedIn = await tryCode(context, user, client, (scope) =>
    redeem(context, scope, user, { mfa_token, code }, client.userAgent),
  );
  await knowAddress(db, user.username, client.origin, now());
  return signedIn;
}

async function redeem(
  context: AppContext,
  scope: Scope,
  user: UserRow,
  { mfa_token, code }: z.output<typeof mfaVerify>,
  userAgent: string | null,
): Promise<Outcome<SignedIn>> {
  const { tx, now } = scope;
  const subject = userActor(user);
  // Administrators are locked before the person, as by every change of a role.
  if (context.config.oidc) await lockAdmins(tx);
  const isAccepted = (await lockActiveUser(tx, user.id)) && (await acceptCode(tx, context, user, code, now));
  if (!isAccepted) {
    await record(scope, { type: 'user.sign_in_failed', subject });
    return { failure: invalidCode() };
  }
  const begun = await tx
    .deleteFrom('mfa_challenges')
    .where('hash', '=', hashToken(mfa_token))
    .returning(['opened_by', 'role'])
    .executeTakeFirst();
  // Another call has completed this sign-in first. The code is used up nevertheless.
  if (!begun) return { failure: invalidCode() };
  const { opened_by, role } = begun;
  const { oidc } = context.config;
  if (role !== null && oidc) await followRole(scope, user.id, role, oidc);
  await storeSignIn(tx, user.id, now);
  await record(scope, { type: 'user.signed_in', subject });
  return { success: await signInWith(scope, user, userAgent, { opened_by }) };
}

/** Deletes the unfinished sign-ins of a user. */
export async function dropChallengesOf(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('mfa_challenges').where('user_id', '=', userId).execute();
}

/** Deletes expired unfinished sign-ins. */
export async function deletePastChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('mfa_challenges').where('expires_at', '<=', now.toISOString()).execute();
}
