import type { AppContext } from '../../../context.ts';
import { countFailures, refuseReached } from '../../../limits/throttle.ts';
import { record } from '../../../records/record-event.ts';
import { inScope, type Scope } from '../../../scope.ts';
import { NOTICES, queueNotice } from '../../mail/security-notice.ts';
import { consumeLink, createLink, findLink, invalidLink } from '../account/user-links.ts';
import { askForSecondFactor } from '../second-factor/sign-in-challenge.ts';
import {
  findUserById,
  lockActiveUser,
  type SignedIn,
  signInWith,
  storeSignIn,
  userActor,
} from '../sign-in/auth.queries.ts';
import type { Visitor } from '../sign-in/callers.ts';
import { oidcLimits } from './oidc-limits.ts';

/** Links of `npm run user -- link`: whoever runs the server lets an administrator in, also where the issuer is down. */

/** @returns the path of a link that signs a person in, once, within ten minutes */
export const createSignInLink = (scope: Scope, userId: number): Promise<string> =>
  createLink(scope, 'sign_in', userId);

/**
 * Signs an administrator in with such a link. It stands for the password: the second factor is asked for.
 * @throws AppError 400 invalid_token, 401 mfa_required, 429
 */
export async function signInByLink(
  context: AppContext,
  token: string,
  { origin, userAgent }: Pick<Visitor, 'origin' | 'userAgent'>,
): Promise<SignedIn> {
  const { db, now } = context;
  const limits = oidcLimits(origin);
  await refuseReached(db, limits, now());
  const userId = await findLink(db, 'sign_in', token, now());
  const user = typeof userId === 'number' ? await findUserById(db, userId) : undefined;
  if (!user?.is_active || user.role !== 'admin') {
    await countFailures(db, limits, now());
    throw invalidLink();
  }
  const signedIn = await inScope(context, { actor: userActor(user), origin }, async (scope) => {
    if (!(await lockActiveUser(scope.tx, user.id))) throw invalidLink();
    await consumeLink(scope, 'sign_in', token);
    await queueNotice(scope, user, NOTICES.signInLink);
    if (user.mfa_enabled_at !== null) return null;
    await record(scope, { type: 'user.signed_in', subject: userActor(user) });
    await storeSignIn(scope.tx, user.id, scope.now);
    return signInWith(scope, user, userAgent, { opened_by: 'link' });
  });
  return signedIn ?? askForSecondFactor(db, user, now(), { opened_by: 'link', role: null });
}
