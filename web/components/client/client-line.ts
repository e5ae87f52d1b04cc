import { CLIENT_DEFAULTS } from '../../../contract/base/limits.ts';
import { isEmail, normalizeForSearch } from '../../../contract/base/text.ts';
import { PHONE_PATTERN, withPlus } from '../../../contract/clients/clients.ts';

/** What one line says of a client; '' for what it does not say. */
export interface ClientLine {
  name: string;
  email: string;
  phone: string;
}

const BETWEEN_WORDS = /[\s,;|<>()]+/;
/** Something on either side of an @. */
const isAddress = (word: string) => word.slice(1, -1).includes('@');
/** From the beginning of a word on: the digits at the end of 'G500' are part of a name. */
const PHONE = /(?:^|[\s,;|<>])(\+?\(?\d[\d\s().-]{6,}\d)/;
const GAP = /[\s,;|<>()-]+/g;
/** A bar stands where the address and the number stood: it goes, with what separated them from the name. */
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

/** Whether a client can be made of it at once. */
export const isWholeClient = ({ name, email, phone }: ClientLine): boolean =>
  name !== '' && phone !== '' && isEmail(email);

/** The number with +52, for ten digits of a client in México; a blank country counts as México (SEED-9-09). */
export function mexicanPhone(text: string, country: string): string | null {
  const typed = text.trim();
  if (!/^\d{10}$/.test(typed)) return null;
  const from = normalizeForSearch(country) || normalizeForSearch(CLIENT_DEFAULTS.country);
  return from === normalizeForSearch(CLIENT_DEFAULTS.country) ? `+52${typed}` : null;
}
