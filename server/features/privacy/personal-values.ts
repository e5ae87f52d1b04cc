import type { ClientRow } from '../../db/tables.ts';

/** The fields of a client that tell who it is; the others are figures, and stay. */
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

const normal = (text: string) => text.trim().toLowerCase();

/** Texts of one person, by which copies of them are found elsewhere. */
export type PersonalValues = {
  /** Each whole text, trimmed and in lower case. */
  all: ReadonlySet<string>;
  /** The addresses: where one stands, the whole text is about this person. */
  emails: readonly string[];
};

/** @param texts of a client, today's and earlier ones */
export function personalValues(texts: readonly unknown[]): PersonalValues {
  const found = texts.filter((text): text is string => typeof text === 'string').map(normal);
  const all = new Set(found.filter((text) => text !== ''));
  return { all, emails: [...all].filter((text) => /^[^\s@]+@[^\s@]+$/.test(text)) };
}

/** Whether a text is one of the person's, or has one of its addresses. */
export function isPersonal(text: string, { all, emails }: PersonalValues): boolean {
  const known = normal(text);
  return all.has(known) || emails.some((email) => known.includes(email));
}

/** A JSON value in which the person's texts are empty. */
export function withoutPersonal(value: unknown, values: PersonalValues): unknown {
  if (typeof value === 'string') return isPersonal(value, values) ? '' : value;
  if (Array.isArray(value)) return value.map((part) => withoutPersonal(part, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, withoutPersonal(part, values)]),
  );
}
