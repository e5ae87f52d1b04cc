import { OIDC_MESSAGES } from '../../../../contract/people/oidc-messages.ts';
import { mailKey } from '../../../../contract/reading/mail-addresses.ts';
import type { AppContext } from '../../../context.ts';
import { isUniqueViolation } from '../../../db/dialect.ts';
import type { Db, UserRow } from '../../../db/tables.ts';
import { forbidden } from '../../../errors.ts';
import { record } from '../../../records/record-event.ts';
import { inScope, type Scope } from '../../../scope.ts';
import { voidLinks } from '../account/user-links.ts';
import { askForSecondFactor } from '../second-factor/sign-in-challenge.ts';
import {
  getUserById,
  nameUser,
  type SignedIn,
  signInWith,
  storeSignIn,
  userActor,
} from '../sign-in/auth.queries.ts';
import type { Visitor } from '../sign-in/callers.ts';
import { inactiveUser } from '../sign-in/inactive-user.ts';
import { knowAddress } from '../sign-in/sign-in-limits.ts';
import { userRecord } from '../users/user.record.ts';
import { NO_PASSWORD } from '../users/users.queries.ts';
import { followRole } from './follow-role.ts';
import { oidcOf } from './issuer.ts';
import { writeIdentity } from './link-identity.ts';
import { type Identity, takeIdentity } from './oidc-tokens.ts';

/** The person to whom an identity is linked, also one who is not active. */
const findLinked = (db: Db, { issuer, subject }: Identity): Promise<UserRow | undefined> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('oidc_issuer', '=', issuer)
    .where('oidc_subject', '=', subject)
    .executeTakeFirst();

/** The one person who is invited at the verified mail address of an identity and has not joined yet. */
async function findInvited(db: Db, { claims: { email } }: Identity): Promise<UserRow | undefined> {
  if (email === null) return undefined;
  const invited = await db
    .selectFrom('users')
    .selectAll()
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', mailKey(email)))
    .where('email', '!=', '')
    .where('is_active', '=', true)
    .where('password_hash', '=', NO_PASSWORD)
    .where('oidc_subject', 'is', null)
    .execute();
  return invited.length === 1 ? invited[0] : undefined;
}

/**
 * Signs in with the token of a callback: who is linked, or who is invited at the mail address that the issuer has
 * verified, and is linked by that. It stands for the password: a second factor that the person has is asked for, unless
 * the issuer asked for one.
 * @throws AppError 400 invalid_token, 401 mfa_required, 403 forbidden or user_inactive, 404 without OIDC_ISSUER, 429
 */
export async function finishOidc(
  context: AppContext,
  { token, cookie }: { token: string; cookie: string | null },
  { origin, userAgent }: Pick<Visitor, 'origin' | 'userAgent'>,
): Promise<SignedIn> {
  const { db, now } = context;
  const oidc = oidcOf(context);
  const identity = await takeIdentity(context, token, cookie, origin);
  const { isStrong, authTime, role } = identity.claims;
  const user = (await findLinked(db, identity)) ?? (await findInvited(db, identity));
  if (!user) throw forbidden(OIDC_MESSAGES.uninvited);
  if (!user.is_active) throw inactiveUser();
  if (oidc.roleClaim !== null && role === null) throw forbidden(OIDC_MESSAGES.noRole);
  if (user.mfa_enabled_at !== null && !isStrong)
    return askForSecondFactor(db, user, now(), { opened_by: 'oidc', role });
  const signedIn = await inScope(context, { actor: userActor(user), origin }, async (scope) => {
    await join(scope, user, identity, oidc.name);
    if (role !== null) await followRole(scope, user.id, role, oidc);
    await record(scope, { type: 'user.signed_in', subject: userActor(user) });
    await storeSignIn(scope.tx, user.id, scope.now);
    const opening = {
      opened_by: 'oidc',
      mfa_met: isStrong,
      confirmed_at: notLater(authTime, scope.now),
    } as const;
    return signInWith(scope, await getUserById(scope.tx, user.id), userAgent, opening);
  });
  await knowAddress(db, user.username, origin, now());
  return signedIn;
}

/** The clock of the issuer may be ahead. */
const notLater = (moment: string | null, now: Date): string | null =>
  moment === null ? null : new Date(Math.min(Date.parse(moment), now.getTime())).toISOString();

/**
 * Locks the person, and links an invited one.
 * @throws AppError (403) if the person was deactivated, or joined in another way, meanwhile
 */
async function join(scope: Scope, user: UserRow, identity: Identity, provider: string): Promise<void> {
  const [locked] = await userRecord.lock(scope.tx, [user.id]);
  if (!locked?.is_active) throw inactiveUser();
  const { issuer, subject, claims } = identity;
  if (locked.oidc_issuer === issuer && locked.oidc_subject === subject) return;
  if (locked.oidc_subject !== null || locked.password_hash !== NO_PASSWORD)
    throw forbidden(OIDC_MESSAGES.uninvited);
  await writeIdentity(scope, locked, identity, provider).catch((error: unknown) => {
    // Two invited people with one identity at once: the first is linked.
    throw isUniqueViolation(error) ? forbidden(OIDC_MESSAGES.uninvited) : error;
  });
  if (locked.names === '') {
    const names = claims.names === '' ? locked.username : claims.names;
    await nameUser(scope.tx, locked.id, { names, last_name: claims.last_name }, scope.now);
  }
  // Whoever has the mail must not be able to set a password with it any more.
  await voidLinks(scope.tx, 'invitation', locked.id);
  await record(scope, { type: 'user.joined', subject: userActor(await getUserById(scope.tx, locked.id)) });
}
