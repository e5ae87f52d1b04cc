import type { z } from 'zod';
import { ACCOUNT_MESSAGES, type stepUp } from '../../../../contract/people/account.ts';
import type { AppContext } from '../../../context.ts';
import { fault, invalid } from '../../../errors.ts';
import { tryOnce } from '../../../limits/throttle.ts';
import { inScope } from '../../../scope.ts';
import { getUserById, userActor } from '../sign-in/auth.queries.ts';
import { acceptCode } from '../sign-in/second-factor.ts';
import { CODE_LIMIT, codeKey } from '../sign-in/sign-in-challenge.ts';
import { confirmPassword } from './change-password.ts';
import type { Person } from './set-up-second-factor.ts';

/**
 * Confirms again who uses a session, by the password or by a code of the second factor, for the next ten minutes.
 * @throws invalid (400) on the field that is wrong, rateLimited (429)
 */
export async function confirmIdentity(
  context: AppContext,
  { password, code }: z.output<typeof stepUp>,
  { session, origin, signal }: Person,
): Promise<void> {
  const { db, now } = context;
  if (password !== undefined) {
    await confirmPassword(context, { session, password, field: 'password', signal });
  } else {
    const user = await getUserById(db, session.userId);
    const throttle = { db, key: codeKey(user.id), limit: CODE_LIMIT, now, signal };
    await tryOnce<true>(throttle, () =>
      inScope(context, { actor: userActor(user), origin }, async ({ tx, now: moment }) => {
        // Without a password there is a code: the schema asks for one of both.
        const isRight = user.mfa_enabled_at !== null && (await acceptCode(tx, context, user, code!, moment));
        return isRight
          ? { success: true }
          : { failure: invalid({ code: [fault('invalid', ACCOUNT_MESSAGES.invalidCode)] }) };
      }),
    );
  }
  await db
    .updateTable('sessions')
    .set({ confirmed_at: now().toISOString() })
    .where('id', '=', session.sessionId)
    .execute();
}
