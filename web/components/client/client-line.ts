import { CLIENT_DEFAULTS } from '../../../contract/base/limits.ts';
import { PHONE_PATTERN, withPlus } from '../../../contract/clients/clients.fields.ts';
import { isMailAddress } from '../../../contract/reading/mail-addresses.ts';

type PhoneReader = Pick<typeof import('../../../contract/reading/phones.ts'), 'phoneIn'>;

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

/**
 * Reads name, mail address and phone from one line, in any order, as it is pasted from a chat or a signature.
 * @param phones the reader of phones; null while it is not loaded: then digits stay in the name
 */
export function clientOfLine(line: string, phones: PhoneReader | null): ClientLine {
  const text = line.replaceAll('|', ' ');
  const email = text.split(BETWEEN_WORDS).find(isAddress) ?? '';
  const written = PHONE.exec(text.replace(email, '|'))?.[1] ?? '';
  const digits = written.replace(/[^\d+]/g, '');
  const phone = phoneOf(digits, phones);
  const rest = text.replace(email || '|', '|').replace(phone === '' ? '|' : written, '|');
  return { name: rest.replace(GAP, withoutBar).trim(), email, phone };
}

/** The number of the country that a new client has by default, else the one that the specification's rule stores (D048). */
function phoneOf(digits: string, phones: PhoneReader | null): string {
  if (phones === null) return '';
  const meant = phones.phoneIn(digits, CLIENT_DEFAULTS.country);
  return meant ?? (PHONE_PATTERN.test(digits) ? withPlus(digits) : '');
}

/** True if the line has all data to create a client at once. */
export const isWholeClient = ({ name, email, phone }: ClientLine): boolean =>
  name !== '' && phone !== '' && isMailAddress(email);
