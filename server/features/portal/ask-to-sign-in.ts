import { randomInt } from 'node:crypto';
import { PORTAL_LIMITS } from '../../../contract/portal/portal-words.ts';
import { mailKey } from '../../../contract/reading/mail-addresses.ts';
import { createToken, hashToken } from '../../lib/secret.ts';
import { countUses } from '../../limits/uses.ts';
import type { Scope } from '../../scope.ts';
import { limitsOfAsk } from './portal-limits.ts';
import { portalLinkJob } from './portal-link-job.ts';

/**
 * The mail of a request is made after a random delay in this range, in milliseconds. So the time of a call does not
 * reveal whether a client has the address.
 */
const MADE_AFTER = [100, 600] as const;
/** The end of that range: the runner looks for the job then, at the same moment for every address. */
export const MADE_WITHIN_MS = 650;

/**
 * Somebody requests a code for any address (PORTAL-01). Nothing here looks for a client, so the answer and its time
 * are the same for every address. A new request cancels older requests of the same browser, but not those of other
 * browsers.
 * @param browser the cookie of an earlier request of this browser; null without one
 * @param ip the address of the caller
 * @returns the token that binds code and link to this browser
 * @throws rateLimited (429)
 */
export async function askToSignIn(
  scope: Scope,
  { email, browser, ip }: { email: string; browser: string | null; ip: string },
): Promise<string> {
  const { tx, now } = scope;
  const key = mailKey(email);
  await countUses(tx, limitsOfAsk(key, ip), now);
  if (browser !== null) {
    await tx.deleteFrom('portal_asks').where('browser_hash', '=', hashToken(browser)).execute();
  }
  const token = createToken();
  const { id } = await tx
    .insertInto('portal_asks')
    .values({
      kind: 'client',
      browser_hash: hashToken(token),
      email_key: key,
      code_hash: null,
      token_hash: null,
      client_id: null,
      license_id: null,
      installation_id: null,
      user_id: null,
      expires_at: new Date(now.getTime() + PORTAL_LIMITS.askSeconds * 1000).toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const at = new Date(now.getTime() + randomInt(...MADE_AFTER));
  await portalLinkJob.enqueue(scope, { ask: id }, { at });
  return token;
}
