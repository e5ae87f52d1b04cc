import type { FastifyInstance } from 'fastify';
import { OIDC_MESSAGES } from '../../../../contract/people/oidc-messages.ts';
import type { OidcConfig } from '../../../config.ts';
import type { AppContext } from '../../../context.ts';
import { forbidden } from '../../../errors.ts';
import { inScope, SYSTEM } from '../../../scope.ts';
import { endSession } from '../sign-in/end-session.ts';

/** OIDC_ONLY: nobody signs in but with the issuer (SIGN-02). */

/** The calls that sign in in another way, or prepare one, as `METHOD path`. */
const OTHER_WAYS: ReadonlySet<string> = new Set([
  'POST /api/auth/login/',
  'POST /api/auth/register/',
  'POST /api/auth/password/forgot/',
  'POST /api/auth/password/reset/',
  'POST /api/auth/password/change/',
  'POST /api/auth/invitation/accept/',
  'POST /api/auth/passkeys/options/',
  'POST /api/auth/passkeys/',
  'POST /api/auth/passkeys/sign-in/options/',
  'POST /api/auth/passkeys/sign-in/',
  'POST /licenses/api/users/:id(^\\d+$)/reset_link/',
]);

/** @throws forbidden (403) where OIDC_ONLY is set */
export function refuseOtherWays({ oidc }: { oidc: OidcConfig | null }): void {
  if (oidc?.only) throw forbidden(OIDC_MESSAGES.only(oidc.name));
}

/** Refuses the other ways in where OIDC_ONLY is set; call it after the authentication. */
export function keepToOidc(app: FastifyInstance, { oidc }: { oidc: OidcConfig | null }): void {
  if (!oidc?.only) return;
  app.addHook('onRequest', async ({ method, routeOptions }) => {
    if (OTHER_WAYS.has(`${method} ${routeOptions.url}`)) refuseOtherWays({ oidc });
  });
}

/** Ends what was opened in other ways; called at the start. Links of `npm run user -- link` open new sessions later. */
export async function endOtherSessions(context: AppContext): Promise<void> {
  const { oidc } = context.config;
  if (!oidc?.only) return;
  const reason = OIDC_MESSAGES.only(oidc.name);
  const others = await context.db
    .selectFrom('sessions')
    .select('id')
    .where('opened_by', '!=', 'oidc')
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', context.now().toISOString())
    .orderBy('id')
    .execute();
  for (const { id } of others) {
    await inScope(context, { actor: SYSTEM }, (scope) => endSession(scope, id, reason));
  }
  await context.db.deleteFrom('mfa_challenges').where('opened_by', '!=', 'oidc').execute();
}
