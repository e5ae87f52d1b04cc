import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { TAG_MAX, TAGS_LISTED, TAGS_MAX } from '../base/limits.ts';
import { isLine, whenMissing } from '../base/text.ts';
import { cleanTag, eachTagOnce, TAG_SEPARATOR, tagKey } from '../reading/tags.ts';

/**
 * Tags of clients and licences (DESK-03): words of the vendor's own, to find and count records by. Tags that differ
 * only in case, accents or spaces are one tag, whose first spelling stays.
 */

export const TAG_MESSAGES = {
  list: 'Indica una lista de etiquetas',
  text: 'Cada etiqueta es un texto',
  blank: 'Escribe la etiqueta',
  tooLong: `Cada etiqueta admite hasta ${TAG_MAX} caracteres`,
  characters: 'Una etiqueta no lleva punto y coma ni saltos de línea',
  tooMany: `Se admiten como máximo ${TAGS_MAX} etiquetas`,
  on: 'Indica clients o licenses',
} as const;

/**
 * The longest text that is cleaned, spaces included. Of a long run of accents in mixed order Unicode's forms take time
 * that grows with the square of its length (decision 058).
 */
const TYPED_MAX = 1000;

/** One tag, as a call sends it. */
const tag = z
  .string({ error: (issue) => whenMissing(TAG_MESSAGES.blank)(issue) ?? TAG_MESSAGES.text })
  .max(TYPED_MAX, { error: TAG_MESSAGES.tooLong, abort: true })
  // Before the spaces are made single: a break would otherwise be one of them.
  .refine((text) => isLine(text.trim()) && !text.includes(TAG_SEPARATOR), {
    message: TAG_MESSAGES.characters,
    abort: true,
  })
  .overwrite(cleanTag)
  .refine((text) => tagKey(text) !== '', { ...coded('required', TAG_MESSAGES.blank), abort: true })
  .max(TAG_MAX, TAG_MESSAGES.tooLong);

/** The tags of a record. A save replaces them all. */
export const tags = z
  .array(tag, TAG_MESSAGES.list)
  .overwrite(eachTagOnce)
  .refine((all) => all.length <= TAGS_MAX, coded('too_long', TAG_MESSAGES.tooMany))
  .meta({ examples: [['VIP', 'Norte']] });

export const answeredTags = z.array(z.string());

/** The fields of the bulk actions `add_tag` and `remove_tag`. */
export const tagAction = { tag };

/** The filter of a list: one tag, or with a repeated parameter several, all of which a record must have. */
export const tagFilter = z
  .union([z.string(), z.array(z.string())])
  .transform((asked) => [asked].flat().filter((text) => text.trim() !== ''))
  .pipe(z.array(tag).max(TAGS_MAX, TAG_MESSAGES.tooMany))
  .transform((all) => (all.length === 0 ? undefined : all))
  .optional()
  .meta({
    description: 'Una etiqueta; repetido, todas / One tag; repeated, all of them',
    examples: ['VIP'],
  });

/** Which records' tags are counted. */
const TAGGED = ['clients', 'licenses'] as const;
export type TaggedKind = (typeof TAGGED)[number];
export const tagsQuery = z.object({ on: z.enum(TAGGED, TAG_MESSAGES.on) });

/** The tags in use, the most used first. */
export const tagsInUse = z
  .object({
    results: z.array(z.object({ tag: z.string(), count: z.number().int() })).max(TAGS_LISTED),
  })
  .meta({ id: 'TagsInUse' });
export type TagsInUse = z.infer<typeof tagsInUse>;
