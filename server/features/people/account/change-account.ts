import type { z } from 'zod';
import { digestWeek } from '../../../../contract/mail/digest.ts';
import { ACCOUNT_MESSAGES, type accountChange } from '../../../../contract/people/account.ts';
import type { Account } from '../../../../contract/people/auth.ts';
import { USER_MESSAGES } from '../../../../contract/people/users.ts';
import { mailKey } from '../../../../contract/reading/mail-addresses.ts';
import type { AppContext } from '../../../context.ts';
import type { UserRow } from '../../../db/tables.ts';
import { fault, invalid } from '../../../errors.ts';
import { type RecordKind, saveRecord } from '../../../records/save-record.ts';
import { inScope } from '../../../scope.ts';
import { clearBounce } from '../../mail/bounces.queries.ts';
import { NOTICES, queueNotice } from '../../mail/security-notice.ts';
import { isEmailTaken, userActor } from '../sign-in/auth.queries.ts';
import type { Person } from '../sign-in/callers.ts';
import { findAccount } from '../sign-in/current-user.ts';
import { lockUsers, updateUser } from '../users/users.queries.ts';
import { confirmOwner } from './confirm-owner.ts';
import { voidLinks } from './user-links.ts';

/** The record of a user's own account. */
const accountRecord: RecordKind<UserRow, Account> = {
  name: 'user',
  table: 'users',
  lock: lockUsers,
  find: ({ tx }, id) => findAccount(tx, id),
  complete: async (_scope, account) => account,
  written: ({ email_shown: _shown, ...account }) => account,
  about: (account) => ({ subject: userActor(account) }),
};

/** Whether an address is new; a change of upper and lower case alone is not. */
const isOther = (email: string | undefined, before: Pick<Account, 'email'>): email is string =>
  email !== undefined && mailKey(email) !== mailKey(before.email);

/**
 * Changes what users decide themselves; fields that are not sent stay unchanged. A new email requires the password,
 * because links that set passwords are sent to it. Whoever enables the digest gets the next one, not the one of the
 * present week.
 * @throws invalid (400) for a missing or wrong password, or a taken email; rateLimited (429)
 */
export async function changeAccount(
  context: AppContext,
  { current_password: password, ...sent }: z.output<typeof accountChange>,
  { session, origin, signal }: Person,
): Promise<Account> {
  const id = session.userId;
  const account = await findAccount(context.db, id);
  if (isOther(sent.email, account)) {
    const field = 'current_password';
    const missing = ACCOUNT_MESSAGES.passwordForEmail;
    await confirmOwner(context, { session, password, field, missing, signal });
  }
  return inScope(context, { actor: userActor(account), origin }, async (scope) => {
    const { tx, now, timeZone } = scope;
    let before: string | undefined;
    const after = await saveRecord(scope, accountRecord, id, async (row, version) => {
      if (isOther(sent.email, row)) {
        if (await isEmailTaken(tx, sent.email, id))
          throw invalid({ email: [fault('taken', USER_MESSAGES.emailTaken)] });
        // An unused link may have been sent to the earlier address.
        await voidLinks(tx, 'password_reset', id);
        before = row.email;
      }
      if (sent.email !== undefined && sent.email !== row.email) await clearBounce(tx, row.email);
      const asks = sent.weekly_digest === true && !row.weekly_digest;
      const digest = asks ? { digest_week: digestWeek(now, timeZone) } : {};
      await updateUser(tx, id, { ...sent, ...digest }, version);
    });
    if (before !== undefined) {
      await queueNotice(scope, after, NOTICES.email(before, after.email), {
        addresses: [before, after.email],
      });
    }
    return after;
  });
}
