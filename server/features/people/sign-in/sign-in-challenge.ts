import type { z } from 'zod';
import type { mfaVerify } from '../../../../contract/people/account.ts';
import type { User } from '../../../../contract/people/auth.ts';
import type { AppContext } from '../../../context.ts';
import type { Db, UserRow } from '../../../db/tables.ts';
import { AppError } from '../../../errors.ts';
import { createToken, hashToken } from '../../../lib/secret.ts';
import { type Limit, type Outcome, tryOnce } from '../../../limits/throttle.ts';
import { throttleKey } from '../../../limits/throttle-key.ts';
import { record } from '../../../records/record-event.ts';
import { inScope, type Origin } from '../../../scope.ts';
import {
  findUserById,
  lockActiveUser,
  noteSignIn,
  openSession,
  type TokenPair,
  toUser,
  userActor,
} from './auth.queries.ts';
import { acceptCode } from './second-factor.ts';
import { knowAddress } from './sign-in-limits.ts';

/** Sign-ins that wait for their second factor (PEOPLE-05). */

const CHALLENGE_MS = 5 * 60_000;
/** Wrong codes of one account, whatever the address and the sign-in. */
export const CODE_LIMIT: Limit = { failures: 5, windowMs: 15 * 60_000 };

/** Begins a sign-in whose password was right. @throws AppError (401, mfa_required) with the token of its second step */
export async function askForSecondFactor(db: Db, user: UserRow, now: Date): Promise<never> {
  const token = createToken();
  await db
    .insertInto('mfa_challenges')
    .values({
      hash: hashToken(token),
      user_id: user.id,
      expires_at: new Date(now.getTime() + CHALLENGE_MS).toISOString(),
    })
    .execute();
  throw new AppError(401, 'mfa_required', { mfaToken: token });
}

const invalidCode = () => new AppError(401, 'invalid_code');

/**
 * Ends a sign-in with a code of the authenticator or a recovery code.
 * @throws AppError (401, invalid_code) also for an unknown, used or expired token; rateLimited (429)
 */
export async function verifySecondFactor(
  context: AppContext,
  { mfa_token, code }: z.output<typeof mfaVerify>,
  client: { origin: Origin; userAgent: string | null; signal: AbortSignal },
): Promise<TokenPair & { user: User }> {
  const { db, now } = context;
  const challenge = await db
    .selectFrom('mfa_challenges')
    .select('user_id')
    .where('hash', '=', hashToken(mfa_token))
    .where('expires_at', '>', now().toISOString())
    .executeTakeFirst();
  const user = challenge && (await findUserById(db, challenge.user_id));
  if (!user) throw invalidCode();
  const throttle = { db, key: codeKey(user.id), limit: CODE_LIMIT, now, signal: client.signal };
  const tokens = await tryOnce<TokenPair>(throttle, () => redeem(context, user, { mfa_token, code }, client));
  await knowAddress(db, user.username, client.origin, now());
  return { ...tokens, user: toUser(user) };
}

/** The counter of a person's wrong codes. */
export const codeKey = (userId: number): string => throttleKey('mfa', String(userId));

function redeem(
  context: AppContext,
  user: UserRow,
  { mfa_token, code }: z.output<typeof mfaVerify>,
  { origin, userAgent }: { origin: Origin; userAgent: string | null },
): Promise<Outcome<TokenPair>> {
  const actor = userActor(user);
  return inScope<Outcome<TokenPair>>(context, { actor, origin }, async (scope) => {
    const { tx, now } = scope;
    const isAccepted =
      (await lockActiveUser(tx, user.id)) && (await acceptCode(tx, context, user, code, now));
    if (!isAccepted) {
      await record(scope, { type: 'user.sign_in_failed', subject: actor });
      return { failure: invalidCode() };
    }
    const begun = await tx
      .deleteFrom('mfa_challenges')
      .where('hash', '=', hashToken(mfa_token))
      .returning('user_id')
      .executeTakeFirst();
    // Another call ended this sign-in first. The code is used up all the same.
    if (!begun) return { failure: invalidCode() };
    await noteSignIn(tx, user.id, now);
    await record(scope, { type: 'user.signed_in', subject: actor });
    return { success: await openSession(tx, user.id, now, { ip: origin.ip, userAgent }) };
  });
}

/** Ends the unfinished sign-ins of a user. */
export async function dropChallengesOf(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('mfa_challenges').where('user_id', '=', userId).execute();
}

/** Deletes expired sign-ins. */
export async function deletePastChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('mfa_challenges').where('expires_at', '<=', now.toISOString()).execute();
}
