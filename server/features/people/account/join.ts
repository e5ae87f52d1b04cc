import type { z } from 'zod';
import { NAME_REQUIRED } from '../../../../contract/base/required.ts';
import type { invitationAccept, passwordReset } from '../../../../contract/people/account.ts';
import type { WorkingKey } from '../../../../contract/people/api-keys.ts';
import { AUTH_MESSAGES } from '../../../../contract/people/auth.ts';
import type { AppContext } from '../../../context.ts';
import type { UserRow } from '../../../db/tables.ts';
import { fault, invalid } from '../../../errors.ts';
import { record } from '../../../records/record-event.ts';
import { refuseTaken } from '../../../records/refuse-taken.ts';
import { inScope, type Origin, type Scope } from '../../../scope.ts';
import {
  findUserById,
  findUserByUsername,
  lockActiveUser,
  nameUser,
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
  const isLocked =
    (await lockActiveUser(scope.tx, user.id)) && (await consumeLink(scope, kind, token)) === user.id;
  if (!isLocked) throw invalidLink();
}

const USERNAME_TAKEN = { username: [fault('taken', AUTH_MESSAGES.usernameTaken)] };

/**
 * Accepts an invitation: sets the password, and what the person says of the own name, and signs in (PEOPLE-03,
 * docs/decisions/147).
 * @throws AppError (400, invalid_token); invalid (400) for a common password, a taken user name, or a name that nobody
 * has said; the link then stays valid
 */
export async function acceptInvitation(
  context: AppContext,
  { token, password, ...said }: z.output<typeof invitationAccept>,
  client: Omit<Visitor, 'signal'>,
): Promise<SignedIn> {
  const invited = await ownerOf(context, 'invitation', token);
  const { username = invited.username, names = invited.names, last_name = invited.last_name } = said;
  if (names === '') throw invalid({ names: [fault('required', NAME_REQUIRED)] });
  const holder = await findUserByUsername(context.db, username);
  if (holder && holder.id !== invited.id) throw invalid(USERNAME_TAKEN);
  const user = { ...invited, username, names, last_name };
  const hashed = await hashNewPassword(password, user);
  const { origin } = client;
  return inScope(context, { actor: userActor(user), origin }, async (scope) => {
    await consumeLinkOf(scope, 'invitation', token, user);
    await nameUser(scope.tx, user.id, said, scope.now).catch(refuseTaken(USERNAME_TAKEN));
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
