import { isIP } from 'node:net';
import { PASSKEY_MESSAGES } from '../../../../contract/people/passkeys.ts';
import type { Config } from '../../../config.ts';
import { conflict } from '../../../errors.ts';

/** The site for which passkeys are made: the name of PUBLIC_URL, and the origin that browsers name (SIGN-01). */
export type RelyingParty = { id: string; origin: string };

/**
 * Browsers make passkeys for a name alone, and only where nobody on the way can change the page.
 * @returns null if PUBLIC_URL is an IP address, or not https beyond this machine
 */
export function relyingPartyOf({ publicUrl }: Pick<Config, 'publicUrl'>): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[');
  const isOffered = isName && (protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost'));
  return isOffered ? { id: hostname, origin } : null;
}

/** @throws conflict (409) where passkeys are not offered */
export function requireRelyingParty(config: Pick<Config, 'publicUrl'>): RelyingParty {
  const relyingParty = relyingPartyOf(config);
  if (!relyingParty) throw conflict(PASSKEY_MESSAGES.notOffered);
  return relyingParty;
}
