import { PHONE_PATTERN, withPlus } from '../../../contract/clients/clients.fields.ts';
import { clientCreate } from '../../../contract/clients/clients.ts';

/** A host name with a top-level domain of letters, optionally a port and a path. */
const HOST = /^[\p{L}\p{N}][\p{L}\p{N}-]*(\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(:\d{1,5})?([/?#]\S*)?$/u;

/** The address with https:// in front, if the text is an address without it; else null. */
export function completedWebsite(text: string): string | null {
  const typed = text.trim();
  if (!HOST.test(typed)) return null;
  const completed = `https://${typed}`;
  return clientCreate.shape.website.safeParse(completed).success ? completed : null;
}

/**
 * The stored form of a phone number if it differs from the typed text: with a plus (D048). Null for an invalid number.
 */
export function storedPhone(text: string): string | null {
  const typed = text.trim();
  if (typed.startsWith('+') || !PHONE_PATTERN.test(typed)) return null;
  return withPlus(typed);
}
