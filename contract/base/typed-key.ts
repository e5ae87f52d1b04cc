import { z } from 'zod';
import { searchedOrKey } from '../reading/license-keys.ts';
import { PASTED_MAX, SEARCH_MAX } from './limits.ts';
import { isParagraph, line, TEXT_MESSAGES, whenMissing } from './text.ts';

/** What may stand in a field for a licence key: a key, or a pasted text with a key in it and line breaks (INPUT-10). */

const pasted = (text: z.ZodString) =>
  text.max(PASTED_MAX, TEXT_MESSAGES.tooLong(PASTED_MAX)).refine(isParagraph, TEXT_MESSAGES.characters);

/** A licence key as typed or pasted. */
export const typedKey = pasted(z.string().trim());

/** As {@link typedKey}; absent and blank values get the message `missing`. */
export const requiredKey = (missing: string) =>
  pasted(
    z
      .string({ error: whenMissing(missing) })
      .trim()
      .min(1, missing),
  );

/** Tabs and line breaks come along with cells of a spreadsheet and lines of a mail. They are spaces of a search. */
const CELLS = /[\t\r\n]+/g;

/** The text of a search. Of a pasted text that is too long for a search only the key in it is searched for. */
export const searchedText = z
  .string()
  .transform((text) => searchedOrKey(text, SEARCH_MAX).replace(CELLS, ' '))
  .pipe(line(SEARCH_MAX));
