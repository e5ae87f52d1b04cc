import encodeQR from 'qr';
import type { z } from 'zod';
import { ACCOUNT_MESSAGES, type mfaDisable, type mfaSecret } from '../../../../contract/people/account.ts';
import type { AppContext } from '../../../context.ts';
import type { Db, UserRow } from '../../../db/tables.ts';
import { AppError, notFound } from '../../../errors.ts';
import { record } from '../../../records/record-event.ts';
import { inScope, type Scope } from '../../../scope.ts';
import { NOTICES, queueNotice } from '../../mail/security-notice.ts';
import { readSettings } from '../../settings/settings.queries.ts';
import { confirmOwner } from '../account/confirm-owner.ts';
import { endSessionsOf } from '../account/sessions.queries.ts';
import { deletePasskeysOf } from '../passkeys/passkeys.queries.ts';
import { findUserById, getUserById, lockActiveUser, userActor } from '../sign-in/auth.queries.ts';
import type { Person } from '../sign-in/callers.ts';
import {
  acceptCode,
  acceptOneTimeCode,
  newSecret,
  removeSecondFactor,
  replaceRecoveryCodes,
  storeSecret,
  tryCode,
  wrongCode,
} from './codes.ts';

/** Two-step verification: setting it up, and ending it (PEOPLE-05). */

const alreadyOn = () => new AppError(409, 'conflict', { message: ACCOUNT_MESSAGES.mfaAlreadyOn });

/**
 * Makes a secret for the person's authenticator app. It becomes active with {@link enableSecondFactor}.
 * @throws invalid (400) for a wrong password; AppError (409, conflict) if the second factor is already on
 */
export async function setUpSecondFactor(
  context: AppContext,
  password: string | undefined,
  { session, origin, signal }: Person,
): Promise<z.infer<typeof mfaSecret>> {
  const user = await confirmOwner(context, { session, password, field: 'password', signal });
  const { vendor_name } = await readSettings(context.db);
  const { secret, otpauthUrl } = newSecret(user.username, vendor_name);
  await inScope(context, { actor: userActor(user), origin }, async ({ tx }) => {
    await lockWithout(tx, user.id);
    await storeSecret(tx, context, user, secret);
  });
  return {
    success: true,
    secret,
    otpauth_url: otpauthUrl,
    qr_svg: encodeQR(otpauthUrl, 'svg', { border: 2 }),
  };
}

/**
 * Enables the second factor with a first code, and ends the person's other sessions.
 * @returns the recovery codes, which are shown once
 * @throws invalid (400) for a wrong code; AppError (409, conflict) if it is already on; rateLimited (429)
 */
export async function enableSecondFactor(
  context: AppContext,
  code: string,
  { session, origin, signal }: Person,
): Promise<string[]> {
  return tryCode<string[]>(context, { ...session, id: session.userId }, { origin, signal }, async (scope) => {
    const { tx, now } = scope;
    const user = await lockWithout(tx, session.userId);
    if (!(await acceptOneTimeCode(tx, context, user, code, now))) return { failure: wrongCode() };
    await tx
      .updateTable('users')
      .set({ mfa_enabled_at: now.toISOString() })
      .where('id', '=', user.id)
      .execute();
    await endSessionsOf(tx, user.id, now, session.sessionId);
    await record(scope, { type: 'user.mfa_enabled', subject: userActor(user) });
    await queueNotice(scope, user, NOTICES.factorOn);
    return { success: await replaceRecoveryCodes(tx, user.id) };
  });
}

/**
 * Disables the second factor.
 * @throws invalid (400) for a wrong password or code; AppError (409, conflict) if it is off; rateLimited (429)
 */
export async function disableSecondFactor(
  context: AppContext,
  { password, code }: z.output<typeof mfaDisable>,
  { session, origin, signal }: Person,
): Promise<void> {
  const user = await confirmOwner(context, { session, password, field: 'password', signal });
  if (user.mfa_enabled_at === null) {
    throw new AppError(409, 'conflict', { message: ACCOUNT_MESSAGES.mfaAlreadyOff });
  }
  await tryCode<true>(context, user, { origin, signal }, async (scope) => {
    if (!(await acceptCode(scope.tx, context, user, code, scope.now))) return { failure: wrongCode() };
    await removeSecondFactor(scope.tx, user.id);
    await record(scope, { type: 'user.mfa_disabled', subject: userActor(user) });
    await queueNotice(scope, user, NOTICES.factorOff);
    return { success: true };
  });
}

/**
 * Removes the second factor and the passkeys of a person who has lost them, and ends all sessions of this person
 * (PEOPLE-03, SIGN-01).
 * @param missing the message of the 404
 * @param keeps.passkeys true where only the secrets of second factors were lost
 * @throws notFound (404)
 */
export async function resetSecondFactor(
  scope: Scope,
  userId: number,
  missing: string,
  keeps: { passkeys: boolean } = { passkeys: false },
): Promise<void> {
  const { tx, now } = scope;
  const user = await findUserById(tx, userId);
  if (!user) throw notFound(missing);
  const passkeys = keeps.passkeys ? [] : await deletePasskeysOf(tx, userId);
  const hadFactor = user.mfa_enabled_at !== null || user.mfa_secret !== null;
  if (!hadFactor && passkeys.length === 0) return;
  await removeSecondFactor(tx, userId);
  await endSessionsOf(tx, userId, now);
  const subject = userActor(user);
  await record(scope, { type: 'user.mfa_reset', subject });
  for (const name of passkeys) {
    const changes = { passkey: { before: name, after: null } };
    await record(scope, { type: 'user.passkey_removed', subject, changes });
  }
  await queueNotice(scope, user, NOTICES.reset(hadFactor, passkeys));
}

/**
 * Locks a user who has no second factor, so that of two concurrent calls the second sees the result of the first.
 * @throws AppError (409, conflict) if the second factor is already on
 */
async function lockWithout(tx: Db, userId: number): Promise<UserRow> {
  await lockActiveUser(tx, userId);
  const user = await getUserById(tx, userId);
  if (user.mfa_enabled_at !== null) throw alreadyOn();
  return user;
}
