import { headerKey, words } from './import-words.ts';

/** Compares the headers of spreadsheets with the names of fields, however they are written (INPUT-20). */

/** Words that change nothing: 'Fecha vencimiento' and 'Fecha de vencimiento'. */
const FILLERS: ReadonlySet<string> = new Set(words('de, del, la, el, los, las, of, the'));

const CAPITAL_WITHIN = /(\p{Ll})(\p{Lu})/gu;

/** The words, numbers and percent signs of a header; 'Address1' and 'MailingCity' have two of them. */
function partsOf(text: string): string[] {
  const parts: string[] = headerKey(text.replace(CAPITAL_WITHIN, '$1 $2')).match(/\p{L}+|\p{N}+|%/gu) ?? [];
  const telling = parts.filter((part) => !FILLERS.has(part));
  return telling.length > 0 ? telling : parts;
}

const isNumber = (part: string) => /^\p{N}+$/u.test(part);
const joined = (parts: readonly string[]) => parts.join('');

/** The form in which a name of a field is compared: 'R.F.C.' and 'rfc' are one, also 'E-mail' and 'email'. */
export const nameKey = (name: string): string => joined(partsOf(name));

/** @returns the parts without the qualifiers around them; all of them if nothing else is left */
function bareOf(parts: readonly string[], qualifiers: ReadonlySet<string>): string[] {
  const bare = [...parts];
  while (bare.length > 1 && qualifiers.has(bare[0]!)) bare.shift();
  while (bare.length > 1 && qualifiers.has(bare.at(-1)!)) bare.pop();
  return bare;
}

/** A form of a header that may be the name of a field, and whether it is certain: 'Ciudad' is, 'Ciudad de trabajo' less. */
export type HeaderForm = { key: string; isBare: boolean };

/**
 * The forms in which a header is looked for, the most certain first: as it is, without numbers between its words
 * ('E-mail 1 - Value'), without a 1 at its end ('Teléfono 1'), without the qualifiers around it.
 * @param qualifiers words that say whose or which it is, in the form of headerKey()
 */
export function headerForms(header: string, qualifiers: ReadonlySet<string>): HeaderForm[] {
  const all = partsOf(header);
  const between = all.filter((part, at) => !isNumber(part) || at === all.length - 1);
  const first = between.length > 1 && between.at(-1) === '1' ? between.slice(0, -1) : between;
  const whole = [...new Set([all, between, first].map(joined))];
  const bare = joined(bareOf(first, qualifiers));
  return [
    ...whole.map((key) => ({ key, isBare: false })),
    ...(whole.includes(bare) ? [] : [{ key: bare, isBare: true }]),
  ];
}
