import { WEBHOOK_MESSAGES } from '../../../contract/system/webhooks.ts';
import { fault, invalid } from '../../errors.ts';
import { within } from '../../lib/within.ts';
import { addressesOf, mayReach, type Reach } from './target.ts';

/** How long a save waits for resolving the receiver's name. */
const LOOK_UP_MS = 3000;

/**
 * Checks where an address leads now (HOOK-03). A name that cannot be resolved is accepted, because its server may be
 * set up later and each attempt checks it again.
 * @throws invalid (400) with `errors.url`
 */
export async function checkUrl(reach: Reach, text: string): Promise<void> {
  const url = new URL(text);
  const looking = addressesOf(reach, url).catch(() => []);
  let addresses: Awaited<typeof looking> = [];
  await within(
    LOOK_UP_MS,
    looking.then((found) => {
      addresses = found;
    }),
  );
  const isKnown = addresses.length > 0;
  if (isKnown && mayReach(reach, url, addresses)) return;
  if (url.protocol === 'http:') throw invalid({ url: [fault('invalid', WEBHOOK_MESSAGES.https)] });
  if (isKnown) throw invalid({ url: [fault('not_allowed', WEBHOOK_MESSAGES.privateAddress)] });
}
