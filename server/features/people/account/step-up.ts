import type { z } from 'zod';
import type { stepUp } from '../../../../contract/people/account.ts';
import type { AppContext } from '../../../context.ts';
import { confirmByPasskey } from '../passkeys/prove-by-passkey.ts';
import { acceptCode, tryCode, wrongCode } from '../second-factor/codes.ts';
import { getUserById } from '../sign-in/auth.queries.ts';
import type { Person } from '../sign-in/callers.ts';
import { confirmPassword } from './change-password.ts';

/**
 * Confirms the identity of a session's user, by password, by a code of the second factor or by a passkey, for the next
 * ten minutes.
 * @throws invalid (400) on the field that is wrong, rateLimited (429)
 */
export async function confirmIdentity(
  context: AppContext,
  { password, code, passkey }: z.output<typeof stepUp>,
  person: Person,
): Promise<void> {
  const { session, origin, signal } = person;
  const { db, now } = context;
  if (password !== undefined) {
    await confirmPassword(context, { session, password, field: 'password', signal });
  } else if (passkey !== undefined) {
    await confirmByPasskey(context, passkey, person);
  } else {
    const user = await getUserById(db, session.userId);
    await tryCode<true>(context, user, { origin, signal }, async ({ tx, now: moment }) => {
      // Without the others there is a code, because the schema requires one of them.
      const isRight = user.mfa_enabled_at !== null && (await acceptCode(tx, context, user, code!, moment));
      return isRight ? { success: true } : { failure: wrongCode() };
    });
  }
  await db
    .updateTable('sessions')
    .set({ confirmed_at: now().toISOString() })
    .where('id', '=', session.sessionId)
    .execute();
}
