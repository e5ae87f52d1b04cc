import { shownMailAddress } from '../../../../contract/reading/mail-addresses.ts';
import type { UserRow } from '../../../db/tables.ts';
import type { Scope } from '../../../scope.ts';
import { queueMail } from '../../mail/queue-mail.ts';
import { userActor } from '../sign-in/auth.queries.ts';
import { HOLDS_MS } from './user-links.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The recipient of the mail with a link. */
const envelopeOf = (user: UserRow) => ({
  to: { name: userActor(user).name, address: user.email },
  user: user.id,
});
const personOf = (user: UserRow) => ({ name: userActor(user).name, email: shownMailAddress(user.email) });

/**
 * Mails an invitation.
 * @param path the link's path with its token, to append to PUBLIC_URL
 */
export async function mailInvitation(scope: Scope, user: UserRow, path: string): Promise<void> {
  await queueMail(scope, {
    kind: 'invitation',
    ...envelopeOf(user),
    variables: {
      user: personOf(user),
      inviter: scope.actor.name,
      link: `${scope.publicUrl}${path}`,
      hours: HOLDS_MS.invitation / HOUR_MS,
    },
  });
}

/**
 * Mails the link that sets a new password.
 * @param path the link's path with its token, to append to PUBLIC_URL
 */
export async function mailResetLink(scope: Scope, user: UserRow, path: string): Promise<void> {
  await queueMail(scope, {
    kind: 'password_reset',
    ...envelopeOf(user),
    variables: {
      user: personOf(user),
      link: `${scope.publicUrl}${path}`,
      minutes: HOLDS_MS.password_reset / MINUTE_MS,
    },
  });
}
