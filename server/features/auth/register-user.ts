import type { z } from 'zod';
import { AUTH_MESSAGES, type registration, type User } from '../../../contract/auth.ts';
import type { AppContext } from '../../context.ts';
import { isUniqueViolation, lockFirstAccount } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { forbidden, invalid } from '../../errors.ts';
import { hashPassword } from '../../lib/password.ts';
import type { Principal } from '../../principal.ts';
import { record } from '../../records/record-event.ts';
import { inScope, type Origin, SYSTEM } from '../../scope.ts';
import { hasUsers, insertUser, openSession, type TokenPair, toUser, userActor } from './auth.queries.ts';

const CLOSED = 'El registro de usuarios está deshabilitado';

/**
 * Creates an account and signs it in. Open to signed-in users, to anyone while there are no users, and to all with
 * ALLOW_REGISTRATION (D005). Of concurrent requests for the first account, one succeeds.
 * @throws forbidden (403), or invalid (400) when the name is taken
 */
export async function registerUser(
  context: AppContext,
  values: z.output<typeof registration>,
  { registrar, origin }: { registrar: Principal | null; origin: Origin },
): Promise<TokenPair & { user: User }> {
  const { db, config } = context;
  const refuseWhenClosed = async (executor: Db) => {
    if (!registrar && !config.allowRegistration && (await hasUsers(executor))) throw forbidden(CLOSED);
  };
  // Checked here, so that a refused request costs no hash, and again under the lock.
  await refuseWhenClosed(db);
  const passwordHash = await hashPassword(values.password);
  const { username, names, last_name, email } = values;
  try {
    return await inScope(context, { actor: registrar ?? SYSTEM, origin }, async (scope) => {
      const { tx, now } = scope;
      if (!registrar) {
        await lockFirstAccount(tx);
        await refuseWhenClosed(tx);
      }
      const user = await insertUser(
        tx,
        { username, names, last_name, email, password_hash: passwordHash },
        now,
      );
      const registered = userActor(user);
      // Without a session the actor is the new user.
      await record(
        { ...scope, actor: registrar ? scope.actor : registered },
        { type: 'user.registered', subject: registered },
      );
      return { ...(await openSession(tx, user.id, now)), user: toUser(user) };
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid({ username: [AUTH_MESSAGES.usernameTaken] });
    throw error;
  }
}
