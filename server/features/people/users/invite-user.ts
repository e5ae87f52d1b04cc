import type { z } from 'zod';
import { AUTH_MESSAGES } from '../../../../contract/people/auth.ts';
import { INVITED_AS } from '../../../../contract/people/username.ts';
import { USER_MESSAGES, type userCreate } from '../../../../contract/people/users.ts';
import { lockFirstAccount } from '../../../db/dialect.ts';
import type { UserRow } from '../../../db/tables.ts';
import { AppError, fault, invalid, notFound } from '../../../errors.ts';
import { record } from '../../../records/record-event.ts';
import { refuseTaken } from '../../../records/refuse-taken.ts';
import type { Scope } from '../../../scope.ts';
import { mailInvitation } from '../account/mail-link.ts';
import { createLink } from '../account/user-links.ts';
import { insertUser, insertUserByEmail, isEmailTaken, userActor } from '../sign-in/auth.queries.ts';
import { lockUsers, NO_PASSWORD, statusOf } from './users.queries.ts';

/** An invited user with the path of the link. The caller shows the link only if mails cannot be delivered. */
export type Invited = { user: UserRow; link: string };

/**
 * Creates an account without a password and mails its link, which is valid for 48 hours (PEOPLE-03). What the invitation
 * leaves out of the name, the invited person says (docs/decisions/147).
 * @throws invalid (400) for a taken user name or address
 */
export async function inviteUser(scope: Scope, values: z.output<typeof userCreate>): Promise<Invited> {
  const { tx, now } = scope;
  // One invitation at a time, so that two with the same address do not become two accounts.
  await lockFirstAccount(tx);
  if (await isEmailTaken(tx, values.email))
    throw invalid({ email: [fault('taken', USER_MESSAGES.emailTaken)] });
  const { username, names = '', last_name, email, role } = values;
  const account = { names, last_name, email, role, password_hash: NO_PASSWORD };
  const user =
    username === undefined
      ? await insertUserByEmail(tx, account, now)
      : await insertUser(tx, { ...account, username }, now).catch(
          refuseTaken({ username: [fault('taken', AUTH_MESSAGES.usernameTaken)] }),
        );
  return sendInvitation(scope, user);
}

/**
 * Mails a new link to a person who has not joined yet; the earlier link becomes invalid.
 * @throws notFound (404); AppError (409, conflict) for a person who has joined or is inactive, (403,
 * step_up_required) for an administrator
 */
export async function inviteAgain(scope: Scope, id: number, confirm: () => void): Promise<Invited> {
  const [user] = await lockUsers(scope.tx, [id]);
  if (!user) throw notFound(USER_MESSAGES.notFound);
  const status = statusOf(user);
  if (status !== 'invited') {
    const message = status === 'active' ? USER_MESSAGES.alreadyJoined : USER_MESSAGES.inactive;
    throw new AppError(409, 'conflict', { message });
  }
  if (user.role === 'admin') confirm();
  return sendInvitation(scope, user);
}

/** The path of a link whose page also asks for the person's name, and offers the user name. */
const askingForName = (path: string, username: string): string =>
  path.replace('#', `?${new URLSearchParams({ [INVITED_AS]: username })}#`);

async function sendInvitation(scope: Scope, user: UserRow): Promise<Invited> {
  const path = await createLink(scope, 'invitation', user.id);
  const link = user.names === '' ? askingForName(path, user.username) : path;
  await mailInvitation(scope, user, link);
  await record(scope, { type: 'user.invited', subject: userActor(user) });
  return { user, link };
}
