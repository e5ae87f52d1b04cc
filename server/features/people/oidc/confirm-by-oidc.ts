import { OIDC_MESSAGES } from '../../../../contract/people/oidc-messages.ts';
import type { AppContext } from '../../../context.ts';
import { AppError, fault, invalid } from '../../../errors.ts';
import { getUserById } from '../sign-in/auth.queries.ts';
import type { Person } from '../sign-in/callers.ts';
import { oidcOf } from './issuer.ts';
import { type Identity, takeIdentity } from './oidc-tokens.ts';

/**
 * Confirms the identity of a session's user by the token of a start with `step_up`: the person signed in anew at the
 * issuer, after the start.
 * @throws invalid (400) on `oidc`, also for somebody else's identity; notFound (404) without OIDC_ISSUER
 */
export async function confirmByOidc(
  context: AppContext,
  { token, cookie }: { token: string; cookie: string | null },
  { session, origin }: Pick<Person, 'session' | 'origin'>,
): Promise<void> {
  oidcOf(context);
  const refusal = () => invalid({ oidc: [fault('invalid', OIDC_MESSAGES.notConfirmed)] });
  const identity = await takeIdentity(context, token, cookie, origin).catch((error: unknown): Identity => {
    // A 400 without a field would read as a used link.
    throw error instanceof AppError && error.code === 'invalid_token' ? refusal() : error;
  });
  const user = await getUserById(context.db, session.userId);
  const isOwn = user.oidc_issuer === identity.issuer && user.oidc_subject === identity.subject;
  if (!isOwn || !identity.claims.isFresh) throw refusal();
}
