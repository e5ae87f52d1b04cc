import { WEBHOOK_MESSAGES } from '../../../contract/system/webhooks.ts';
import { fault, invalid } from '../../errors.ts';
import { within } from '../../lib/within.ts';
import { addressesOf, mayReach, type Reach } from './target.ts';

/** How long a save waits for the name of a receiver. */
const LOOK_UP_MS = 3000;

/**
 * Checks where an address leads by now (HOOK-03). A name that cannot be resolved is accepted: its server may come later,
 * and each attempt checks again.
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
