import { randomBytes, timingSafeEqual } from 'node:crypto';
import { PASSKEY_CHALLENGE_MS } from '../../../../contract/people/passkeys.ts';
import type { AppContext } from '../../../context.ts';
import type { Db } from '../../../db/tables.ts';
import { hashToken } from '../../../lib/secret.ts';

/**
 * Challenges of passkeys (SIGN-01). A challenge holds its end and a code that only this installation can make, so that
 * whoever asks for thousands of them writes nothing. Only a used one is stored, until its end: it works once.
 */

const NONCE_BYTES = 16;

/** What a challenge is for: adding a passkey in a session, or one sign-in, known by its token. */
type ChallengePurpose = { registration: number } | { signIn: string };

const purposeText = (purpose: ChallengePurpose) =>
  'signIn' in purpose ? `passkey sign-in ${purpose.signIn}` : `passkey registration ${purpose.registration}`;

/** A new challenge, as the text whose bytes the authenticator signs. */
export function newChallenge({ secrets, now }: AppContext, purpose: ChallengePurpose): string {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  const content = `${now().getTime() + PASSKEY_CHALLENGE_MS}.${nonce}`;
  return `${content}.${secrets.codeOf(content, purposeText(purpose))}`;
}

/** A challenge that this installation made for a purpose and that has not ended. `named` is as browsers name it. */
export type Challenge = { text: string; named: string; expiresAt: string };

const isEqual = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** The text of the challenge that a browser answered; '' if it names none. */
function answeredText(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    return typeof challenge === 'string' ? Buffer.from(challenge, 'base64url').toString() : '';
  } catch {
    return '';
  }
}

/**
 * Reads the challenge that a browser answered.
 * @returns null for one that is of another purpose, another installation, changed, or past its end
 */
export function readChallenge(
  { secrets, now }: AppContext,
  purpose: ChallengePurpose,
  clientDataJSON: string,
): Challenge | null {
  const [end = '', nonce = '', code = ''] = answeredText(clientDataJSON).split('.');
  if (!/^\d{13}$/.test(end) || !/^[\w-]{22}$/.test(nonce) || !/^[\w-]{22}$/.test(code)) return null;
  if (!isEqual(code, secrets.codeOf(`${end}.${nonce}`, purposeText(purpose)))) return null;
  if (Number(end) <= now().getTime()) return null;
  const text = `${end}.${nonce}.${code}`;
  return {
    text,
    named: Buffer.from(text).toString('base64url'),
    expiresAt: new Date(Number(end)).toISOString(),
  };
}

/**
 * Uses a challenge up.
 * @returns false for one that was used; of concurrent calls one gets it
 */
export async function takeChallenge(db: Db, { text, expiresAt }: Challenge): Promise<boolean> {
  const taken = await db
    .insertInto('used_challenges')
    .values({ hash: hashToken(text), expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('hash')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Deletes used challenges that would have ended: their end refuses them from now on. */
export async function deletePastUsedChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('used_challenges').where('expires_at', '<=', now.toISOString()).execute();
}
