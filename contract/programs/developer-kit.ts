import { z } from 'zod';
import { writtenId } from '../base/numbers.ts';
import { isLanguage, LANGUAGE_NAMES } from './sdk-languages.ts';

/**
 * The developer kit for the authors of a program: SDK, example, public keys, a readme page and a trial key, in one
 * file.
 */

export const KIT_MESSAGES = {
  languages: `Los lenguajes son: ${LANGUAGE_NAMES.join(', ')}`,
  license: 'La licencia no es una prueba de este software',
} as const;

export const kitQuery = z.object({
  /** Names separated by commas. Default: all languages. */
  languages: z
    .string()
    .optional()
    .transform((text) => (text === undefined || text === '' ? LANGUAGE_NAMES : text.split(',')))
    .refine((names) => names.every(isLanguage), KIT_MESSAGES.languages)
    .transform((names) => LANGUAGE_NAMES.filter((name) => names.includes(name))),
  /** The trial whose key is written on the page. Default: no key. */
  license: writtenId.optional(),
});
