import { z } from 'zod';
import { isCalendarDay, line, optionalLine, optionalParagraph, TEXT_MESSAGES } from '../base/text.ts';

/**
 * How a program's fields are read that only describe its machine: names, versions, addresses, notes (INPUT-12). They
 * never refuse a call, because the customer before the program can't change what it sends. What does not fit is cut,
 * what no text may hold is taken out, and what is no text is left out. With `Prefer: handling=strict` they are checked
 * like other fields.
 */

/** Control characters, and marks that turn the direction of what follows (INPUT-13). */
const NO_TEXT = /[\p{Cc}\u2028\u2029]+/gu;
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;
const NO_PARAGRAPH = /[^\P{Cc}\n\t]+/gu;

/** A number or text as text; anything else is left out, and so is a number too large to be read (1e400). */
function textOf(value: unknown): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  return typeof value === 'string' ? value : '';
}

/** Without halves of characters, which no database stores. */
const wellFormed = (text: string) => text.replace(/\p{Cs}/gu, '');

/** At most so many characters, and no half of one. */
const cut = (text: string, max: number) => wellFormed(text.slice(0, max)).trim();

/**
 * One line of what a program says of its machine.
 * @param value as it was sent, of any type
 * @param max characters
 * @returns '' for what can't be read
 */
export function describedText(value: unknown, max: number): string {
  const text = wellFormed(textOf(value)).replace(DIRECTION, '').replace(NO_TEXT, ' ');
  return cut(text.trim(), max);
}

/** Several lines, as {@link describedText}: line breaks and tabs stay. */
export function describedParagraph(value: unknown, max: number): string {
  const text = wellFormed(textOf(value))
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(DIRECTION, '')
    .replace(NO_PARAGRAPH, '');
  return cut(text.trim(), max);
}

/** The schemas that check such fields in strict calls. */
const strictOf = new WeakMap<z.ZodType, z.ZodType>();

function withStrict<Lenient extends z.ZodType>(lenient: Lenient, strict: z.ZodType): Lenient {
  strictOf.set(lenient, strict);
  return lenient;
}

/** A line that is stored anew with each call; absent and null are ''. */
export const describedLine = (max: number) =>
  withStrict(
    z.preprocess((value) => describedText(value, max), line(max)).prefault(''),
    optionalLine(max).prefault(''),
  );

/** A line that leaves the stored value where it is absent or null. */
export const describedChange = (max: number) =>
  withStrict(z.preprocess((value) => describedText(value, max), line(max)).nullish(), line(max).nullish());

/** Several lines; absent and null are ''. */
export const describedLines = (max: number) =>
  withStrict(
    z
      .preprocess((value) => describedParagraph(value, max), z.string().max(max, TEXT_MESSAGES.tooLong(max)))
      .prefault(''),
    optionalParagraph(max).prefault(''),
  );

/** A text that its reader checks by other rules, such as a mail address that may be missing. */
export const describedValue = (max: number, description: string) =>
  withStrict(
    z
      .preprocess((value) => describedText(value, max), z.string().max(max))
      .nullish()
      .meta({ description }),
    z.string().max(max).nullish(),
  );

/** The form of a body that a strict call must have; the same schema where nothing in it only describes. */
export function strictForm<Schema extends z.ZodType>(schema: Schema): z.ZodType {
  if (!(schema instanceof z.ZodObject)) return schema;
  const strictFields = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const strict = strictOf.get(field);
    return strict ? [[name, strict] as const] : [];
  });
  return strictFields.length === 0 ? schema : schema.extend(Object.fromEntries(strictFields));
}

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d{1,9})?)? ?(?:[Zz]|[+-][01]\d:?[0-5]\d)?$/;

/**
 * The day of a build's release, as a build tool may write it: a day, or an instant, which counts by the day of its own
 * offset ('2026-11-21T23:30:00-06:00' is 2026-11-21).
 * @returns the text as it was if it is neither
 */
export function releaseDay(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const day = INSTANT.exec(value.trim())?.[1];
  return day !== undefined && isCalendarDay(day) ? day : value;
}
