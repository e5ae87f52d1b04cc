import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { ACCOUNT_MESSAGES, RECOVERY_CODES } from '../../../../contract/people/account.ts';
import type { AppContext } from '../../../context.ts';
import type { Db, UserRow } from '../../../db/tables.ts';
import { fault, invalid } from '../../../errors.ts';
import { hashToken } from '../../../lib/secret.ts';
import { type Limit, type Outcome, tryOnce } from '../../../limits/throttle.ts';
import { throttleKey } from '../../../limits/throttle-key.ts';
import { inScope, type Origin, type Scope } from '../../../scope.ts';
import { userActor } from '../sign-in/auth.queries.ts';

/** One-time codes of an authenticator app (RFC 6238) and recovery codes (PEOPLE-05). */

/** Without letters and digits that look similar. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const RECOVERY_LENGTH = 10;
const SECRET_BYTES = 20;
/** Codes of the previous and the next time step are accepted too, because clocks differ. */
const WINDOW = 1;

/** Limits wrong codes of one account, from any address and in any sign-in. */
const CODE_LIMIT: Limit = { failures: 5, windowMs: 15 * 60_000 };

/** The counter of a person's wrong codes. */
export const codeKey = (userId: number): string => throttleKey('mfa', String(userId));

/**
 * Runs work that checks a person's code, in one transaction that is committed also after a failure.
 * @throws rateLimited (429) after too many wrong codes; the failure of `work`
 */
export const tryCode = <Result>(
  context: AppContext,
  user: Pick<UserRow, 'id' | 'names' | 'last_name'>,
  { origin, signal }: { origin: Origin; signal: AbortSignal },
  work: (scope: Scope) => Promise<Outcome<Result>>,
): Promise<Result> =>
  tryOnce<Result>(
    { db: context.db, key: codeKey(user.id), limit: CODE_LIMIT, now: context.now, signal },
    () => inScope<Outcome<Result>>(context, { actor: userActor(user), origin }, work),
  );

/** The error for a wrong code, on its field. */
export const wrongCode = () => invalid({ code: [fault('invalid', ACCOUNT_MESSAGES.invalidCode)] });

type Owner = Pick<UserRow, 'id' | 'username' | 'mfa_secret'>;

const purposeOf = ({ id }: Pick<UserRow, 'id'>) => `mfa:${id}`;

function authenticator(secret: Secret, username: string, issuer: string): TOTP {
  return new TOTP({ issuer, label: username, secret, algorithm: 'SHA1', digits: 6, period: 30 });
}

/** A new secret, and the address in the QR code for an authenticator app. */
export function newSecret(username: string, issuer: string): { secret: string; otpauthUrl: string } {
  const secret = new Secret({ size: SECRET_BYTES });
  return { secret: secret.base32, otpauthUrl: authenticator(secret, username, issuer).toString() };
}

/** Stores a secret, encrypted; it becomes active when a code of it is accepted. */
export async function storeSecret(
  db: Db,
  { secrets }: AppContext,
  user: Owner,
  secret: string,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ mfa_secret: secrets.seal(secret, purposeOf(user)), mfa_enabled_at: null })
    .where('id', '=', user.id)
    .execute();
}

/**
 * Accepts a code of the authenticator app and uses it up. Of concurrent tries only one succeeds, and no earlier code
 * is accepted after it.
 */
export async function acceptOneTimeCode(
  tx: Db,
  { secrets }: AppContext,
  user: Owner,
  code: string,
  now: Date,
): Promise<boolean> {
  if (user.mfa_secret === null || !/^\d{6}$/.test(code)) return false;
  const secret = Secret.fromBase32(secrets.open(user.mfa_secret, purposeOf(user)));
  const totp = authenticator(secret, user.username, '');
  const delta = totp.validate({ token: code, timestamp: now.getTime(), window: WINDOW });
  if (delta === null) return false;
  const step = totp.counter({ timestamp: now.getTime() }) + delta;
  const used = await tx
    .updateTable('users')
    .set({ mfa_last_step: step })
    .where('id', '=', user.id)
    .where('mfa_last_step', '<', step)
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

/** Accepts a recovery code and deletes it; of concurrent tries only one succeeds. */
async function acceptRecoveryCode(tx: Db, userId: number, code: string): Promise<boolean> {
  const used = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hashToken(code))
    .returning('user_id')
    .executeTakeFirst();
  return used !== undefined;
}

/**
 * Accepts either kind of code.
 * @param code without spaces and hyphens, in upper case
 */
export const acceptCode = async (
  tx: Db,
  context: AppContext,
  user: Owner,
  code: string,
  now: Date,
): Promise<boolean> =>
  (await acceptOneTimeCode(tx, context, user, code, now)) || acceptRecoveryCode(tx, user.id, code);

/**
 * Replaces the recovery codes of a user.
 * @returns the new codes in groups of five; only their hashes are stored
 */
export async function replaceRecoveryCodes(tx: Db, userId: number): Promise<string[]> {
  const letter = () => ALPHABET[randomInt(ALPHABET.length)];
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: RECOVERY_LENGTH }, letter).join(''),
  );
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await tx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, hash: hashToken(code) })))
    .execute();
  return codes.map((code) => `${code.slice(0, RECOVERY_LENGTH / 2)}-${code.slice(RECOVERY_LENGTH / 2)}`);
}

/** Removes the second factor of a user with its recovery codes. */
export async function removeSecondFactor(tx: Db, userId: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ mfa_secret: null, mfa_enabled_at: null })
    .where('id', '=', userId)
    .execute();
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}
