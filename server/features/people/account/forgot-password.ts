import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { AppContext } from '../../../context.ts';
import { inScope, type Origin } from '../../../scope.ts';
import { findUsersByEmail, userActor } from '../sign-in/auth.queries.ts';
import { mailResetLink } from './mail-link.ts';
import { createLink } from './user-links.ts';

/** Links that wait for one address at a time; more calls within this time mail nothing. */
const PAUSE_MS = 60_000;
/** Between these two, in milliseconds, the work begins: at a moment that nobody can tie to a call. */
const BEGINS_AFTER = [100, 600] as const;

/**
 * Mails the links that set new passwords to the accounts of an address (PEOPLE-04). The caller does not wait for it, so
 * that the time of the answer tells nothing about the address. Nor does the time of the caller's next call, which the
 * work for a known address would delay: it begins a moment later, at random (bench/timing.ts).
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
      // A stranger who asks again and again does not take away the link that the person is about to use.
      const link = await createLink(scope, 'password_reset', user.id, true);
      await mailResetLink(scope, user, link);
    });
  }
}
