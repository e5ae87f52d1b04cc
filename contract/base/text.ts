import { z } from 'zod';
import { withoutDirectionMarks } from '../reading/direction.ts';
import { EXTERNAL_ID_MAX } from './limits.ts';

export const TEXT_MESSAGES = {
  tooLong: (max: number) => `No puede exceder ${max} caracteres`,
  characters: 'Contiene caracteres no permitidos',
  website: 'El sitio web debe empezar con http:// o https://',
  date: 'Fecha inválida. Usa el formato AAAA-MM-DD.',
  endBeforeStart: 'La fecha de fin debe ser posterior a la fecha de inicio',
} as const;

/** Control characters are not allowed in a line of text; PostgreSQL cannot store NUL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused here
const CONTROL = /[\u0000-\u001f\u007f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, but notes may have tabs and line breaks
const CONTROL_BUT_BREAKS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

const typedText = () => z.string().overwrite(withoutDirectionMarks);

/** True if both databases can store the text exactly: it has no control character and no lone surrogate. */
export const isLine = (text: string) => text.isWellFormed() && !CONTROL.test(text);
/** As {@link isLine}, but tabs and line breaks are allowed. */
export const isParagraph = (text: string) => text.isWellFormed() && !CONTROL_BUT_BREAKS.test(text);

/** Gives `message` for a missing value. A value of the wrong type gets the general message. */
export const whenMissing = (message: string) => (issue: { input?: unknown }) =>
  issue.input === undefined || issue.input === null ? message : undefined;

/** One line of text, trimmed, at most `max` characters. */
export const line = (max: number) =>
  typedText().trim().max(max, TEXT_MESSAGES.tooLong(max)).refine(isLine, TEXT_MESSAGES.characters);

/** One line that must not be blank; absent and blank values get the message `missing`. */
export const requiredLine = (max: number, missing: string) =>
  z
    .string({ error: whenMissing(missing) })
    .overwrite(withoutDirectionMarks)
    .trim()
    .min(1, missing)
    .max(max, TEXT_MESSAGES.tooLong(max))
    .refine(isLine, TEXT_MESSAGES.characters);

/** One line whose blank or null value becomes `fallback` (D010). */
export const lineOr = (fallback: string, max: number) =>
  line(max)
    .nullable()
    .transform((text) => text || fallback);

/** An optional line: null is stored as the empty text (D091). */
export const optionalLine = (max: number) => lineOr('', max);

/** The id of a record in another system: one line, stored exactly; null and blank mean none (API-01). */
export const EXTERNAL_ID = 'Identificador externo';
export const externalId = line(EXTERNAL_ID_MAX)
  .nullable()
  .transform((text) => text || null);

/** Optional text of several lines, trimmed; null is stored as the empty text. */
export const optionalParagraph = (max: number) =>
  typedText()
    .trim()
    .max(max, TEXT_MESSAGES.tooLong(max))
    .refine(isParagraph, TEXT_MESSAGES.characters)
    .nullable()
    .transform((text) => text ?? '');

/** Text of several lines that must not be blank; blank lines at the start and end are removed. */
export const requiredParagraph = (max: number, missing: string) =>
  z
    .string({ error: whenMissing(missing) })
    .transform((text) =>
      withoutDirectionMarks(text)
        .replace(/\r\n?/g, '\n')
        .replace(/^(?:[ \t]*\n)+/, '')
        .trimEnd(),
    )
    .pipe(
      z
        .string()
        .min(1, missing)
        .max(max, TEXT_MESSAGES.tooLong(max))
        .refine(isParagraph, TEXT_MESSAGES.characters),
    );

/** An optional web address. Only http and https are allowed, because a link with `javascript:` would run a script. */
export const optionalWebsite = (max: number) =>
  line(max)
    .refine((text) => text === '' || isWebAddress(text), TEXT_MESSAGES.website)
    .nullable()
    .transform((text) => text ?? '');

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** An exact instant: ISO 8601 with a time zone. */
export const instantForm = z.iso.datetime({ offset: true, local: false });

/** A calendar day, 'AAAA-MM-DD'. It is never passed through `new Date(text)` (D106). */
export const day = z
  .string()
  .trim()
  .refine((text) => isCalendarDay(text), TEXT_MESSAGES.date)
  .meta({ format: 'date', examples: ['2026-01-31'] });

/** A day in an answer. */
export const answeredDay = z.string().meta({ format: 'date' });

/** An optional day: blank and null mean none. */
export const optionalDay = z
  .union([z.literal('').transform(() => null), day, z.null()])
  .meta({ examples: ['2026-01-31'] });

/** True for a day of the Gregorian calendar written AAAA-MM-DD, years 1900 to 9999. */
export function isCalendarDay(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const [year, month, date] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1900) return false;
  const parsed = new Date(Date.UTC(year, month - 1, date));
  return parsed.getUTCMonth() === month - 1 && parsed.getUTCDate() === date;
}

/**
 * The form in which words and names are compared: lower case, no accents, single spaces. Signs stay; a search folds
 * them too (contract/reading/search-folding.ts).
 */
export function normalizeForSearch(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * The sort key of a text in Spanish order: case and accents are ignored, and ñ sorts after n (`~` sorts after a to z).
 * Keys are stored in the database, so a change of this function needs a migration that recomputes them.
 */
export const textOrder = (text: string): string =>
  normalizeForSearch(text.normalize('NFC').replace(/ñ/gi, 'n~'));
