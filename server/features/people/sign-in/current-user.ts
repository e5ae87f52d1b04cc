import type { FastifyRequest } from 'fastify';
import type { Account } from '../../../../contract/people/auth.ts';
import type { CurrentUser } from '../../../../contract/people/current-user.ts';
import { PORTAL_PATH } from '../../../../contract/portal/portal-words.ts';
import { mailShown } from '../../../../contract/reading/mail-addresses.ts';
import type { AppContext } from '../../../context.ts';
import type { Db } from '../../../db/tables.ts';
import { principalOf, sessionOf } from '../../../http/request-scope.ts';
import { mustExist } from '../../../lib/must-exist.ts';
import { readSettings } from '../../settings/settings.queries.ts';
import { hasPassword } from '../account/confirm-owner.ts';
import { getUserById } from './auth.queries.ts';

const ACCOUNT_COLUMNS = [
  'id',
  'username',
  'names',
  'last_name',
  'email',
  'is_active',
  'weekly_digest',
] as const satisfies (keyof Account)[];

/** The user's own account. */
export async function findAccount(db: Db, id: number): Promise<Account> {
  const query = db.selectFrom('users').select(ACCOUNT_COLUMNS).where('id', '=', id);
  const account = await query.executeTakeFirstOrThrow();
  return { ...account, ...mailShown(account.email) };
}

/** How the signed-in person stands to the OpenID Connect provider; call it where there is one. */
async function oidcOf(context: AppContext, userId: number): Promise<NonNullable<CurrentUser['oidc']>> {
  const { name, only } = mustExist(context.config.oidc, 'the provider');
  const user = await getUserById(context.db, userId);
  return { name, only, linked: user.oidc_subject !== null, only_way: !hasPassword(context, user) };
}

/** The answer about the signed-in person. */
export async function currentUserOf(
  context: AppContext,
  request: FastifyRequest,
  user: Account,
): Promise<CurrentUser> {
  const { role, mfaEnabled, mustSetUpMfa } = sessionOf(request);
  const { db, config } = context;
  const { vendor_name, currency, locale, portal_enabled } = await readSettings(db);
  return {
    success: true,
    user,
    role,
    permissions: [...principalOf(request).permissions],
    mfa_enabled: mfaEnabled,
    ...(config.oidc && { oidc: await oidcOf(context, user.id) }),
    mfa_setup_required: mustSetUpMfa,
    settings: {
      vendor_name,
      currency,
      locale,
      email_transport: await context.mailer.transport(),
      portal_url: portal_enabled ? config.clientUrl + PORTAL_PATH : null,
    },
  };
}
