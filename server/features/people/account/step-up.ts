import type { z } from 'zod';
import type { stepUp } from '../../../../contract/people/account.ts';
import type { AppContext } from '../../../context.ts';
import { confirmByOidc } from '../oidc/confirm-by-oidc.ts';
import { refuseOtherWays } from '../oidc/only-oidc.ts';
import { confirmByPasskey } from '../passkeys/prove-by-passkey.ts';
import { acceptCode, tryCode, wrongCode } from '../second-factor/codes.ts';
import { getUserById } from '../sign-in/auth.queries.ts';
import type { Person } from '../sign-in/callers.ts';
import { confirmPassword } from './change-password.ts';

/**
 * Confirms the identity of a session's user, by password, by a code of the second factor, by a passkey or at the issuer,
 * for the next ten minutes.
 * @param browser the cookie of the start at the issuer; null without one
 * @throws forbidden (403) for a password or a passkey where OIDC_ONLY is set; invalid (400) on the field that is wrong, rateLimited (429)
 */
export async function confirmIdentity(
  context: AppContext,
  { password, code, passkey, oidc }: z.output<typeof stepUp>,
  person: Person,
  browser: string | null,
): Promise<void> {
  const { session, origin, signal } = person;
  const { db, now } = context;
  if (password !== undefined) {
    refuseOtherWays(context.config);
    await confirmPassword(context, { session, password, field: 'password', signal });
  } else if (passkey !== undefined) {
    refuseOtherWays(context.config);
    await confirmByPasskey(context, passkey, person);
  } else if (oidc !== undefined) {
    await confirmByOidc(context, { token: oidc, cookie: browser }, person);
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
