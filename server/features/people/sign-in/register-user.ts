import type { z } from 'zod';
import { AUTH_MESSAGES, type registration } from '../../../../contract/people/auth.ts';
import type { AppContext } from '../../../context.ts';
import { isUniqueViolation, lockFirstAccount } from '../../../db/dialect.ts';
import type { Db, UserRow } from '../../../db/tables.ts';
import { fault, forbidden, invalid } from '../../../errors.ts';
import { hashPassword } from '../../../lib/password.ts';
import { isWeakForAdmin } from '../../../lib/weak-secret.ts';
import type { Principal } from '../../../principal.ts';
import { record } from '../../../records/record-event.ts';
import { type Actor, inScope, type Scope, SYSTEM } from '../../../scope.ts';
import { hasUsers, insertUser, type NewUser, type SignedIn, signInWith, userActor } from './auth.queries.ts';
import type { Visitor } from './callers.ts';
import { throughQueues } from './sign-in-limits.ts';

/** A person who registers, and the caller who registers the account. */
type Registration = Visitor & { registrar: Principal | null };

/**
 * Stores a new account, with its event.
 * @param by the actor of the event; null for the new user
 */
export async function insertAccount(scope: Scope, account: NewUser, by: Actor | null): Promise<UserRow> {
  const user = await insertUser(scope.tx, account, scope.now);
  const subject = userActor(user);
  await record({ ...scope, actor: by ?? subject }, { type: 'user.registered', subject });
  return user;
}

const CLOSED = 'El registro de usuarios está deshabilitado';

/**
 * Creates an account and signs it in. Whoever may manage users can register others; with ALLOW_REGISTRATION everybody
 * can. The first account is an administrator, later ones are operators (PEOPLE-02). In demo mode and development
 * anyone may create the first account (D005); of concurrent requests one succeeds. In production only ADMIN_USERNAME
 * or the link in the log creates it, even with ALLOW_REGISTRATION (D140).
 * @throws forbidden (403), or invalid (400) when the name is taken; unavailable (503) if too many wait to sign in or
 * to register
 */
export async function registerUser(
  context: AppContext,
  values: z.output<typeof registration>,
  { registrar, origin, userAgent, signal }: Registration,
): Promise<SignedIn> {
  const { db, config } = context;
  const refuseWhenClosed = async (executor: Db) => {
    if (registrar?.permissions.has('users:manage')) return;
    if (config.allowRegistration && config.openFirstAccount) return;
    const isOpen = (await hasUsers(executor))
      ? config.allowRegistration
      : config.openFirstAccount && registrar === null;
    if (!isOpen) throw forbidden(CLOSED);
  };
  // Checked before hashing, so that a refused request costs no hash, and again under the lock.
  await refuseWhenClosed(db);
  const passwordHash = await throughQueues(db, origin, signal, () => hashPassword(values.password));
  const { username, names, last_name, email } = values;
  try {
    return await inScope(context, { actor: registrar ?? SYSTEM, origin }, async (scope) => {
      const { tx } = scope;
      if (!registrar) {
        await lockFirstAccount(tx);
        await refuseWhenClosed(tx);
      }
      const role = (await hasUsers(tx)) ? 'operator' : 'admin';
      const weak_for_admin = isWeakForAdmin(values.password, username);
      const named = { username, names, last_name, email, role } as const;
      const account = { ...named, password_hash: passwordHash, weak_for_admin };
      return signInWith(scope, await insertAccount(scope, account, registrar), userAgent);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid({ username: [fault('taken', AUTH_MESSAGES.usernameTaken)] });
    throw error;
  }
}
