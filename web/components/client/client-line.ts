import { CLIENT_DEFAULTS } from '../../../contract/base/limits.ts';
import { normalizeForSearch } from '../../../contract/base/text.ts';
import { PHONE_PATTERN, withPlus } from '../../../contract/clients/clients.fields.ts';
import { isMailAddress } from '../../../contract/reading/mail-addresses.ts';

/** The data of a client found in one line of text; '' for those not found. */
export interface ClientLine {
  name: string;
  email: string;
  phone: string;
}

const BETWEEN_WORDS = /[\s,;|<>()]+/;
/** True if the word has an @ that is neither its first nor its last character. */
const isAddress = (word: string) => word.slice(1, -1).includes('@');
/** A number must start at the beginning of a word: in 'G500' the digits are part of a name. */
const PHONE = /(?:^|[\s,;|<>])(\+?\(?\d[\d\s().-]{6,}\d)/;
const GAP = /[\s,;|<>()-]+/g;
/**
 * Where the email address and the number were removed, a bar '|' was put. This removes it, together with the
 * separators around it.
 */
const withoutBar = (gap: string) => (gap.includes('|') ? ' ' : gap);

/** Reads name, mail address and phone from one line, in any order, as it is pasted from a chat or a signature. */
export function clientOfLine(line: string): ClientLine {
  const text = line.replaceAll('|', ' ');
  const email = text.split(BETWEEN_WORDS).find(isAddress) ?? '';
  const written = PHONE.exec(text.replace(email, '|'))?.[1] ?? '';
  const digits = written.replace(/[^\d+]/g, '');
  const phone = PHONE_PATTERN.test(digits) ? (mexicanPhone(digits, '') ?? withPlus(digits)) : '';
  const rest = text.replace(email || '|', '|').replace(phone === '' ? '|' : written, '|');
  return { name: rest.replace(GAP, withoutBar).trim(), email, phone };
}

/** True if the line has all data to create a client at once. */
export const isWholeClient = ({ name, email, phone }: ClientLine): boolean =>
  name !== '' && phone !== '' && isMailAddress(email);

/**
 * The number with +52, if it has ten digits and the client is in México; else null. A blank country counts as México
 * (SEED-9-09).
 */
export function mexicanPhone(text: string, country: string): string | null {
  const typed = text.trim();
  if (!/^\d{10}$/.test(typed)) return null;
  const from = normalizeForSearch(country) || normalizeForSearch(CLIENT_DEFAULTS.country);
  return from === normalizeForSearch(CLIENT_DEFAULTS.country) ? `+52${typed}` : null;
}
