import { normalizeForSearch } from '../base/text.ts';
import {
  CONTACT_TOPIC_WORDS,
  CONTACT_TOPICS,
  type Contact,
  type ContactTopic,
} from '../clients/contact-words.ts';

/**
 * The contacts of a client in one cell of a file (DESK-04), in the form in which people write addresses:
 * `Luis Pérez <luis@example.com> +525512345678 [pagos, portal]; Eva Sol <eva@example.com>`. A name with one of the
 * signs that divide the cell stands in double quotes.
 */

const DIVIDES = /["<>;[\]\r\n]/;

const quoted = (name: string) =>
  DIVIDES.test(name) || name !== name.trim() ? `"${name.replaceAll('"', '""')}"` : name;

const oneInCell = ({ name, email, phone, receives }: Contact): string => {
  const words = receives.map((topic) => CONTACT_TOPIC_WORDS[topic]);
  return [
    quoted(name),
    `<${email}>`,
    ...(phone === '' ? [] : [phone]),
    ...(words.length === 0 ? [] : [`[${words.join(', ')}]`]),
  ].join(' ');
};

/** @returns the cell that {@link readContactsCell} reads back */
export const contactsCell = (contacts: readonly Contact[]): string => contacts.map(oneInCell).join('; ');

/** The words for each topic beside those that an export writes. */
const WORDS: Record<ContactTopic, readonly string[]> = {
  keys: ['claves', 'clave', 'licencias', 'keys'],
  reminders: ['avisos', 'aviso', 'recordatorios', 'vencimientos', 'reminders'],
  payments: ['pagos', 'pago', 'cobros', 'payments'],
  portal: ['portal'],
};

function topicOf(word: string): ContactTopic | undefined {
  const asked = normalizeForSearch(word);
  return CONTACT_TOPICS.find((topic) => WORDS[topic].includes(asked));
}

type OneRead = { name: string; email: string; phone: string; words: string };

/** A quoted name at the beginning of a text, and what stands after it; undefined without a closing quote. */
function quotedName(text: string): { name: string; rest: string } | undefined {
  const match = /^"((?:[^"]|"")*)"/.exec(text);
  return match ? { name: match[1]!.replaceAll('""', '"'), rest: text.slice(match[0].length) } : undefined;
}

/**
 * One contact: a name, quoted or not; the address in angle brackets; then the phone and what it receives. Read piece by
 * piece, because one pattern for all would take too long for a hostile text.
 */
function readOne(text: string): OneRead | undefined {
  const inQuotes = text.startsWith('"') ? quotedName(text) : undefined;
  const afterName = inQuotes?.rest ?? text;
  const opens = afterName.indexOf('<');
  const closes = afterName.indexOf('>', opens);
  if (opens < 0 || closes < 0) return undefined;
  const before = afterName.slice(0, opens).trim();
  const email = afterName.slice(opens + 1, closes);
  const after = afterName.slice(closes + 1).trim();
  const listed = after.indexOf('[');
  const phone = (listed < 0 ? after : after.slice(0, listed)).trim();
  if (listed >= 0 && !after.endsWith(']')) return undefined;
  const words = listed < 0 ? '' : after.slice(listed + 1, -1);
  if (inQuotes && before !== '') return undefined;
  const isUnreadable = [before, email, phone, words].some((piece) => DIVIDES.test(piece));
  return isUnreadable ? undefined : { name: inQuotes?.name ?? before, email, phone, words };
}

/** The parts of a cell between semicolons and line ends that stand in no quotes. */
const parts = (text: string): string[] => text.match(/(?:"(?:[^"]|"")*"|[^";\r\n])+/g) ?? [];

/**
 * Reads a cell of contacts.
 * @returns the contacts as a call would send them, unchecked; null for a cell in another form
 */
export function readContactsCell(text: string): Contact[] | null {
  const read: Contact[] = [];
  for (const part of parts(text)) {
    if (part.trim() === '') continue;
    const one = readOne(part.trim());
    if (!one) return null;
    const { name, email, phone } = one;
    const topics = one.words
      .split(/[,/]|\sy\s/)
      .filter((word) => word.trim() !== '')
      .map(topicOf);
    if (topics.includes(undefined)) return null;
    read.push({
      name,
      email,
      phone,
      receives: CONTACT_TOPICS.filter((topic) => topics.includes(topic)),
    });
  }
  return read;
}
