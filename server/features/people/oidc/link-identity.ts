import { OIDC_MESSAGES } from '../../../../contract/people/oidc-messages.ts';
import type { AppContext } from '../../../context.ts';
import { isUniqueViolation } from '../../../db/dialect.ts';
import type { UserRow } from '../../../db/tables.ts';
import { AppError, notFound, unauthorized } from '../../../errors.ts';
import { record } from '../../../records/record-event.ts';
import { inScope, type Scope } from '../../../scope.ts';
import { NOTICES, queueNotice } from '../../mail/security-notice.ts';
import { endSessionsOpenedBy } from '../account/sessions.queries.ts';
import { dropChallengesOf } from '../second-factor/sign-in-challenge.ts';
import { userActor } from '../sign-in/auth.queries.ts';
import type { Person } from '../sign-in/callers.ts';
import { lockUsers, NO_PASSWORD } from '../users/users.queries.ts';
import { oidcOf } from './issuer.ts';
import { type Identity, takeIdentity } from './oidc-tokens.ts';

const conflict = (message: string) => new AppError(409, 'conflict', { message });

/**
 * Stores the identity with which a person signs in, and tells the person.
 * @throws a violation of a unique index if it is another person's
 */
export async function writeIdentity(
  scope: Scope,
  user: UserRow,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
  provider: string,
): Promise<void> {
  const { tx, now } = scope;
  await tx
    .updateTable('users')
    .set({ oidc_issuer: issuer, oidc_subject: subject, oidc_linked_at: now.toISOString() })
    .where('id', '=', user.id)
    .execute();
  const changes = { identity: { before: null, after: provider } };
  await record(scope, { type: 'user.identity_linked', subject: userActor(user), changes });
  await queueNotice(scope, user, NOTICES.identityLinked(provider));
}

async function lockUser({ tx }: Scope, id: number): Promise<UserRow> {
  const [user] = await lockUsers(tx, [id]);
  if (!user?.is_active) throw unauthorized();
  return user;
}

/**
 * Links the identity of a callback's token to the account of the person who is signed in.
 * @throws AppError 400 invalid_token, 404 without OIDC_ISSUER, 409 conflict if the account has another identity or the
 * identity another account
 */
export async function linkIdentity(
  context: AppContext,
  { token, cookie }: { token: string; cookie: string | null },
  { session, origin }: Pick<Person, 'session' | 'origin'>,
): Promise<void> {
  const { name } = oidcOf(context);
  const identity = await takeIdentity(context, token, cookie, origin);
  const actor = userActor({ ...session, id: session.userId });
  await inScope(context, { actor, origin }, async (scope) => {
    const user = await lockUser(scope, session.userId);
    const { issuer, subject } = identity;
    if (user.oidc_issuer === issuer) {
      if (user.oidc_subject === subject) return;
      throw conflict(OIDC_MESSAGES.linkedAlready);
    }
    await writeIdentity(scope, user, identity, name).catch((error: unknown) => {
      throw isUniqueViolation(error) ? conflict(OIDC_MESSAGES.taken) : error;
    });
  });
}

/**
 * Removes the identity of the person who is signed in, with the other sessions that it opened.
 * @throws AppError 404 without one, 409 conflict if the person has no other way in
 */
export async function unlinkIdentity(
  context: AppContext,
  { session, origin }: Pick<Person, 'session' | 'origin'>,
): Promise<void> {
  const oidc = oidcOf(context);
  const actor = userActor({ ...session, id: session.userId });
  await inScope(context, { actor, origin }, async (scope) => {
    const { tx, now } = scope;
    const user = await lockUser(scope, session.userId);
    if (user.oidc_subject === null) throw notFound(OIDC_MESSAGES.notLinked);
    if (oidc.only || user.password_hash === NO_PASSWORD) throw conflict(OIDC_MESSAGES.onlyWay);
    await tx
      .updateTable('users')
      .set({ oidc_issuer: null, oidc_subject: null, oidc_linked_at: null })
      .where('id', '=', user.id)
      .execute();
    await dropChallengesOf(tx, user.id);
    await endSessionsOpenedBy(tx, user.id, 'oidc', now, session.sessionId);
    const changes = { identity: { before: oidc.name, after: null } };
    await record(scope, { type: 'user.identity_unlinked', subject: userActor(user), changes });
    await queueNotice(scope, user, NOTICES.identityUnlinked(oidc.name));
  });
}
