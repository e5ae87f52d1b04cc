import type { z } from 'zod';
import { digestWeek } from '../../../../contract/mail/digest.ts';
import { ACCOUNT_MESSAGES, type accountChange } from '../../../../contract/people/account.ts';
import type { Account } from '../../../../contract/people/auth.ts';
import { USER_MESSAGES } from '../../../../contract/people/users.ts';
import type { AppContext } from '../../../context.ts';
import { lockRows } from '../../../db/dialect.ts';
import { fault, invalid } from '../../../errors.ts';
import type { Session } from '../../../principal.ts';
import { changesBetween, record } from '../../../records/record-event.ts';
import { nextVersion } from '../../../records/version.ts';
import { inScope, type Origin } from '../../../scope.ts';
import { clearBounce } from '../../mail/bounces.queries.ts';
import { NOTICES, queueNotice } from '../../mail/security-notice.ts';
import { isEmailTaken, userActor } from '../sign-in/auth.queries.ts';
import { ACCOUNT_COLUMNS, findAccount } from '../sign-in/current-user.ts';
import { confirmPassword } from './change-password.ts';
import { voidLinks } from './user-links.ts';

/** Whether an address is a new one: letters in another case are not. */
const isOther = (email: string | undefined, before: Account): email is string =>
  email !== undefined && email.toLowerCase() !== before.email.toLowerCase();

/**
 * Changes what users choose for themselves, and keeps what is not named. A new email needs the password, since links
 * that set passwords go there. Whoever asks for the digest gets the next one, not that of the week that runs.
 * @throws invalid (400) for a missing or wrong password, or a taken email; rateLimited (429)
 */
export async function changeAccount(
  context: AppContext,
  { current_password: password, ...sent }: z.output<typeof accountChange>,
  { session, origin, signal }: { session: Session; origin: Origin; signal: AbortSignal },
): Promise<Account> {
  const id = session.userId;
  const account = await findAccount(context.db, id);
  if (isOther(sent.email, account)) {
    if (password === undefined)
      throw invalid({ current_password: [fault('required', ACCOUNT_MESSAGES.passwordForEmail)] });
    await confirmPassword(context, { session, password, field: 'current_password', signal });
  }
  return inScope(context, { actor: userActor(account), origin }, async (scope) => {
    const { tx, now, timeZone } = scope;
    const stored = tx
      .selectFrom('users')
      .select([...ACCOUNT_COLUMNS, 'updated_at'])
      .where('id', '=', id);
    const { updated_at: version, ...before } = await lockRows(tx, stored).executeTakeFirstOrThrow();
    const after = { ...before, ...sent };
    const changes = changesBetween(before, after);
    if (Object.keys(changes).length === 0) return before;
    if (isOther(sent.email, before)) {
      if (await isEmailTaken(tx, sent.email, id))
        throw invalid({ email: [fault('taken', USER_MESSAGES.emailTaken)] });
      // A link went to the earlier address.
      await voidLinks(tx, 'password_reset', id);
    }
    const asks = sent.weekly_digest === true && !before.weekly_digest;
    await tx
      .updateTable('users')
      .set({
        ...sent,
        ...(asks && { digest_week: digestWeek(now, timeZone) }),
        updated_at: nextVersion(version, now),
      })
      .where('id', '=', id)
      .execute();
    if (changes.email) await clearBounce(tx, before.email);
    await record(scope, { type: 'user.updated', subject: userActor(after), changes });
    if (isOther(sent.email, before)) {
      await queueNotice(scope, after, NOTICES.email(before.email, after.email), [before.email, after.email]);
    }
    return after;
  });
}
