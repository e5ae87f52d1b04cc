import { DEMO_ACCOUNT } from '../../../../contract/people/auth.ts';
import type { AppContext } from '../../../context.ts';
import { lockFirstAccount } from '../../../db/dialect.ts';
import { hashPassword } from '../../../lib/password.ts';
import { record } from '../../../records/record-event.ts';
import { inScope, SYSTEM } from '../../../scope.ts';
import { hasUsers, insertUser, type NewUser, userActor } from './auth.queries.ts';

/**
 * Creates the first account of an empty database: the configured administrator, else, in demo mode, the demo account
 * (D006). Replicas that start together create it once, also while someone registers on one of them.
 * @returns false when there is no account and none could be created
 */
export async function createFirstAccount(context: AppContext): Promise<boolean> {
  const { forLongWork, config } = context;
  if (await hasUsers(forLongWork)) return true;
  const account = config.admin ?? (config.demo ? DEMO_ACCOUNT : null);
  if (!account) return false;
  const isDemo = config.admin === null;
  const user: NewUser = {
    username: account.username,
    password_hash: await hashPassword(account.password),
    names: isDemo ? 'Administrador' : account.username,
    last_name: isDemo ? 'Demo' : '',
    email: isDemo ? 'admin@example.com' : '',
    role: 'admin',
  };
  await inScope({ ...context, db: forLongWork }, { actor: SYSTEM }, async (scope) => {
    await lockFirstAccount(scope.tx);
    if (await hasUsers(scope.tx)) return;
    const inserted = await insertUser(scope.tx, user, scope.now);
    await record(scope, { type: 'user.registered', subject: userActor(inserted) });
  });
  return true;
}
