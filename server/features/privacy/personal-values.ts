import type { Contact } from '../../../contract/clients/contact-words.ts';
import { shownMailAddress } from '../../../contract/reading/mail-addresses.ts';
import type { ClientRow } from '../../db/tables.ts';

/** The personal fields of a client; the other fields are only used for statistics and stay. */
export const PERSONAL_FIELDS = [
  'name',
  'email',
  'company',
  'phone',
  'phone_secondary',
  'address',
  'city',
  'state',
  'postal_code',
  'contact_person',
  'contact_position',
  'tax_id',
  'website',
  'notes',
  'external_id',
] as const satisfies (keyof ClientRow)[];

/** Fields whose text alone identifies the person. A city or a postal code does not, because many share it. */
const TELLING_FIELDS: ReadonlySet<string> = new Set([
  ...['name', 'email', 'company', 'phone', 'phone_secondary', 'address', 'contact_person', 'tax_id'],
  ...['website', 'external_id'],
]);

const normal = (text: string) => text.trim().toLowerCase();

export type FieldText = { field: string; text: unknown };

/** The texts of contacts, each like that of a field of the client; of a value that is no list of contacts, none. */
export const textsOfContacts = (contacts: unknown): FieldText[] =>
  (Array.isArray(contacts) ? contacts : []).flatMap((contact: Partial<Contact>) => [
    { field: 'contact_person', text: contact.name },
    { field: 'email', text: contact.email },
    { field: 'phone', text: contact.phone },
  ]);

/** The texts of one person, by which copies are found elsewhere. */
export type PersonalValues = {
  /** Each whole text, trimmed and in lower case. */
  all: ReadonlySet<string>;
  /** The texts that only this person has, so that any text with one of them is a copy. */
  telling: ReadonlySet<string>;
  /** The email addresses: every text that contains one is about this person. */
  emails: readonly string[];
};

/** A list of texts, such as tags, as its texts. */
const each = ({ field, text }: FieldText): FieldText[] =>
  Array.isArray(text) ? text.map((one) => ({ field, text: one })) : [{ field, text }];

/** @param texts present and earlier texts of a client and of its records */
export function personalValues(texts: readonly FieldText[]): PersonalValues {
  const all = new Set<string>();
  const telling = new Set<string>();
  for (const { field, text } of texts.flatMap(each)) {
    const known = typeof text === 'string' ? normal(text) : '';
    if (known === '') continue;
    // Files and mails have an address as people write its domain (INPUT-14).
    for (const form of new Set([known, shownMailAddress(known)])) {
      all.add(form);
      if (TELLING_FIELDS.has(field)) telling.add(form);
    }
  }
  return { all, telling, emails: [...telling].filter((text) => /^[^\s@]+@[^\s@]+$/.test(text)) };
}

const isOneOf = (text: string, known: ReadonlySet<string>, emails: readonly string[]): boolean => {
  const asked = normal(text);
  return known.has(asked) || emails.some((email) => asked.includes(email));
};

/** Whether a text identifies this person: it is one of the identifying texts, or contains one of the addresses. */
export const isTelling = (text: string, { telling, emails }: PersonalValues): boolean =>
  isOneOf(text, telling, emails);

/** What an answer to a save says beside the record: numbers and addresses like those of the person (INPUT-02). */
const ADVICE: ReadonlySet<string> = new Set(['warnings', 'suggestions']);

/** A copy of a JSON value about the person in which the person's texts are empty. */
export function withoutPersonal(value: unknown, values: PersonalValues): unknown {
  if (typeof value === 'string') return isOneOf(value, values.all, values.emails) ? '' : value;
  if (Array.isArray(value)) return value.map((part) => withoutPersonal(part, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !ADVICE.has(name))
      .map(([name, part]) => [name, withoutPersonal(part, values)]),
  );
}
