import type { z } from 'zod';
import type { firstAdmin } from '../../../../contract/people/account.ts';
import { DEMO_ACCOUNT } from '../../../../contract/people/auth.ts';
import { usernameFrom } from '../../../../contract/people/username.ts';
import type { AppContext } from '../../../context.ts';
import { lockFirstAccount } from '../../../db/dialect.ts';
import type { UserRow } from '../../../db/tables.ts';
import { hashPassword } from '../../../lib/password.ts';
import { type Actor, inScope, type Scope, SYSTEM } from '../../../scope.ts';
import { hashNewPassword } from '../account/set-password.ts';
import { consumeLink, createLink, findLink, invalidLink } from '../account/user-links.ts';
import { hasUsers, type NewUser, type SignedIn, signInWith } from '../sign-in/auth.queries.ts';
import type { Visitor } from '../sign-in/callers.ts';
import { insertAccount } from '../sign-in/register-user.ts';

/** The first account of an installation: from the configuration, from demo mode, or with a link in the log. */

/**
 * Stores the first administrator. Of concurrent calls, also on several replicas, only one succeeds.
 * @param by the actor of the event; null for the new administrator
 * @returns undefined if an account exists by now
 */
async function insertFirst(
  scope: Scope,
  user: Omit<NewUser, 'role'>,
  by: Actor | null,
): Promise<UserRow | undefined> {
  await lockFirstAccount(scope.tx);
  return (await hasUsers(scope.tx)) ? undefined : insertAccount(scope, { ...user, role: 'admin' }, by);
}

/**
 * Creates the first account in an empty database: the configured administrator, else in demo mode the demo account
 * (D006). If several replicas start at once, it is created once, even while someone registers on one of them.
 * @param hash makes the stored form of the account's password
 * @returns false when there is no account and none could be created
 */
export async function createFirstAccount(context: AppContext, hash = hashPassword): Promise<boolean> {
  const { forLongWork, config } = context;
  if (await hasUsers(forLongWork)) return true;
  const account = config.admin ?? (config.demo ? DEMO_ACCOUNT : null);
  if (!account) return false;
  const isDemo = config.admin === null;
  const user = {
    username: account.username,
    password_hash: await hash(account.password),
    // The configuration has checked ADMIN_PASSWORD; that of the demo is public.
    weak_for_admin: isDemo,
    names: isDemo ? 'Administrador' : account.username,
    last_name: isDemo ? 'Demo' : '',
    email: isDemo ? 'admin@example.com' : '',
  };
  await inScope({ ...context, db: forLongWork }, { actor: SYSTEM }, (scope) =>
    insertFirst(scope, user, SYSTEM),
  );
  return true;
}

/**
 * Makes the link of an installation without users; earlier links become invalid.
 * @returns its path with its token
 */
export const firstAdminLink = (context: AppContext): Promise<string> =>
  inScope(context, { actor: SYSTEM }, (scope) => createLink(scope, 'first_admin', null));

/**
 * Creates the first administrator with the link, and signs in.
 * @throws AppError (400, invalid_token) also if an account exists by now; invalid (400) for a password that does not do for an administrator
 */
export async function createFirstAdmin(
  context: AppContext,
  { token, password, username, ...person }: z.output<typeof firstAdmin>,
  { origin, userAgent }: Omit<Visitor, 'signal'>,
): Promise<SignedIn> {
  if ((await findLink(context.db, 'first_admin', token, context.now())) === undefined) throw invalidLink();
  const values = { ...person, username: username ?? usernameFrom(person.email) };
  const hashed = await hashNewPassword(password, { ...values, role: 'admin' });
  return inScope(context, { actor: SYSTEM, origin }, async (scope) => {
    const user = await insertFirst(scope, { ...values, ...hashed }, null);
    await consumeLink(scope, 'first_admin', token);
    if (!user) throw invalidLink();
    return signInWith(scope, user, userAgent);
  });
}
