import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { AppContext } from '../../../context.ts';
import { inScope, type Origin } from '../../../scope.ts';
import { findUsersByEmail, userActor } from '../sign-in/auth.queries.ts';
import { mailResetLink } from './mail-link.ts';
import { createLink } from './user-links.ts';

/** Within this time after a link for an address, further calls mail no second one. */
const PAUSE_MS = 60_000;
/** The work begins after a random delay in this range, in milliseconds, so that it cannot be related to a call. */
const BEGINS_AFTER = [100, 600] as const;

/**
 * Mails links that set new passwords to the accounts with an address (PEOPLE-04). The caller does not wait for it, so
 * that the response time does not reveal whether the address exists. The random delay protects the caller's next call
 * in the same way: work for an existing address would make it slower (bench/timing.ts).
 */
export async function mailResetLinks(context: AppContext, email: string, origin: Origin): Promise<void> {
  await setTimeout(randomInt(...BEGINS_AFTER), undefined, { ref: false });
  for (const user of await findUsersByEmail(context.db, email)) {
    await inScope(context, { actor: userActor(user), origin }, async (scope) => {
      const recent = await scope.tx
        .selectFrom('user_links')
        .select('hash')
        .where('user_id', '=', user.id)
        .where('kind', '=', 'password_reset')
        .where('created_at', '>', new Date(scope.now.getTime() - PAUSE_MS).toISOString())
        .executeTakeFirst();
      if (recent) return;
      // Earlier links stay valid, so that a stranger with repeated requests cannot invalidate the link that the
      // person is about to use.
      const link = await createLink(scope, 'password_reset', user.id, true);
      await mailResetLink(scope, user, link);
    });
  }
}
