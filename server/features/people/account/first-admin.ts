import type { z } from 'zod';
import type { firstAdmin } from '../../../../contract/people/account.ts';
import type { User } from '../../../../contract/people/auth.ts';
import type { AppContext } from '../../../context.ts';
import { lockFirstAccount } from '../../../db/dialect.ts';
import { record } from '../../../records/record-event.ts';
import { inScope, type Origin, SYSTEM } from '../../../scope.ts';
import {
  hasUsers,
  insertUser,
  openSession,
  type TokenPair,
  toUser,
  userActor,
} from '../sign-in/auth.queries.ts';
import { hashNewPassword } from './set-password.ts';
import { consumeLink, createLink, findLink, invalidLink } from './user-links.ts';

/** The first administrator of an installation without ADMIN_USERNAME: made by a link from the log. */

/** Makes the link of an installation without users; earlier ones are void. @returns its path with its token */
export const firstAdminLink = (context: AppContext): Promise<string> =>
  inScope(context, { actor: SYSTEM }, (scope) => createLink(scope, 'first_admin', null));

/**
 * Makes the first administrator by the link, and signs in.
 * @throws AppError (400, invalid_token) also where an account exists by now; invalid (400) for a common password
 */
export async function createFirstAdmin(
  context: AppContext,
  { token, password, ...values }: z.output<typeof firstAdmin>,
  { origin, userAgent }: { origin: Origin; userAgent: string | null },
): Promise<TokenPair & { user: User }> {
  if ((await findLink(context.db, 'first_admin', token, context.now())) === undefined) throw invalidLink();
  const password_hash = await hashNewPassword(password, values);
  return inScope(context, { actor: SYSTEM, origin }, async (scope) => {
    const { tx, now } = scope;
    await lockFirstAccount(tx);
    await consumeLink(scope, 'first_admin', token);
    if (await hasUsers(tx)) throw invalidLink();
    const user = await insertUser(tx, { ...values, role: 'admin', password_hash }, now);
    const actor = userActor(user);
    await record({ ...scope, actor }, { type: 'user.registered', subject: actor });
    return { ...(await openSession(tx, user.id, now, { ip: origin.ip, userAgent })), user: toUser(user) };
  });
}
