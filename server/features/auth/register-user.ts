import type { z } from 'zod';
import { AUTH_MESSAGES, type registration, type User } from '../../../contract/auth.ts';
import type { AppContext } from '../../context.ts';
import { isUniqueViolation, lockFirstAccount } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { forbidden, invalid } from '../../errors.ts';
import { hashPassword } from '../../lib/password.ts';
import { hasUsers, insertUser, openSession, type TokenPair, toUser } from './auth.queries.ts';

const CLOSED = 'El registro de usuarios está deshabilitado';

/**
 * Creates an account and signs it in. Open to whoever is signed in, to anyone while there are no users yet, and to
 * all where ALLOW_REGISTRATION says so (D005). Of strangers who ask at once for the first account, one gets it.
 * @throws forbidden (403), or invalid (400) when the name is taken
 */
export async function registerUser(
  context: AppContext,
  values: z.output<typeof registration>,
  isSignedIn: boolean,
): Promise<TokenPair & { user: User }> {
  const { db, config } = context;
  const refuseWhenClosed = async (executor: Db) => {
    if (!isSignedIn && !config.allowRegistration && (await hasUsers(executor))) throw forbidden(CLOSED);
  };
  // Asked here so that a closed registration costs no hash, and again where nobody else can register meanwhile.
  await refuseWhenClosed(db);
  const now = context.now();
  const passwordHash = await hashPassword(values.password);
  const { username, names, last_name, email } = values;
  try {
    return await db.transaction().execute(async (tx) => {
      if (!isSignedIn) {
        await lockFirstAccount(tx);
        await refuseWhenClosed(tx);
      }
      const user = await insertUser(
        tx,
        { username, names, last_name, email, password_hash: passwordHash },
        now,
      );
      return { ...(await openSession(tx, user.id, now)), user: toUser(user) };
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid({ username: [AUTH_MESSAGES.usernameTaken] });
    throw error;
  }
}
