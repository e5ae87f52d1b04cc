import type { z } from 'zod';
import type { invitationAccept, passwordReset } from '../../../../contract/people/account.ts';
import type { WorkingKey } from '../../../../contract/people/api-keys.ts';
import type { AppContext } from '../../../context.ts';
import type { UserRow } from '../../../db/tables.ts';
import { record } from '../../../records/record-event.ts';
import { inScope, type Origin, type Scope } from '../../../scope.ts';
import {
  findUserById,
  lockActiveUser,
  type SignedIn,
  signInWith,
  userActor,
} from '../sign-in/auth.queries.ts';
import type { Visitor } from '../sign-in/callers.ts';
import { hashNewPassword, storePassword, writePassword } from './set-password.ts';
import { consumeLink, findLink, invalidLink, type LinkKind } from './user-links.ts';

/**
 * The owner of a link. The link is looked up before the password is hashed, so that a wrong link costs no hash. It is
 * used up later, in the transaction that stores the password.
 * @throws AppError (400, invalid_token)
 */
async function ownerOf(context: AppContext, kind: LinkKind, token: string): Promise<UserRow> {
  const userId = await findLink(context.db, kind, token, context.now());
  const user = typeof userId === 'number' ? await findUserById(context.db, userId) : undefined;
  if (!user?.is_active) throw invalidLink();
  return user;
}

/** @throws AppError (400, invalid_token) when the link was used or its owner was deactivated in the meantime */
async function consumeLinkOf(scope: Scope, kind: LinkKind, token: string, user: UserRow): Promise<void> {
  const isHeld =
    (await lockActiveUser(scope.tx, user.id)) && (await consumeLink(scope, kind, token)) === user.id;
  if (!isHeld) throw invalidLink();
}

/**
 * Accepts an invitation: sets the password and signs in (PEOPLE-03).
 * @throws AppError (400, invalid_token); invalid (400) for a common password; the link then stays valid
 */
export async function acceptInvitation(
  context: AppContext,
  { token, password }: z.output<typeof invitationAccept>,
  client: Omit<Visitor, 'signal'>,
): Promise<SignedIn> {
  const user = await ownerOf(context, 'invitation', token);
  const hashed = await hashNewPassword(password, user);
  const { origin } = client;
  return inScope(context, { actor: userActor(user), origin }, async (scope) => {
    await consumeLinkOf(scope, 'invitation', token, user);
    await writePassword(scope.tx, user.id, hashed);
    await record(scope, { type: 'user.joined', subject: userActor(user) });
    return signInWith(scope, user, client.userAgent);
  });
}

/**
 * Sets a new password with the link in a mail and ends all sessions. It does not sign in: the next sign-in requires
 * the second factor as usual (PEOPLE-04).
 * @returns the person's API keys, which stay valid
 * @throws AppError (400, invalid_token); invalid (400) for a common password; the link then stays valid
 */
export async function resetPassword(
  context: AppContext,
  { token, password }: z.output<typeof passwordReset>,
  origin: Origin,
): Promise<WorkingKey[]> {
  const user = await ownerOf(context, 'password_reset', token);
  const hashed = await hashNewPassword(password, user);
  return inScope(context, { actor: userActor(user), origin }, async (scope) => {
    await consumeLinkOf(scope, 'password_reset', token, user);
    return storePassword(scope, user, hashed);
  });
}
