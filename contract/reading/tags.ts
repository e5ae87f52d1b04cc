import { normalizeForSearch } from '../base/text.ts';
import { withoutDirectionMarks } from './direction.ts';

/** How tags are typed, pasted and written in a cell (DESK-03). */

/** What stands between the tags in one cell or field, and therefore in no tag. */
export const TAG_SEPARATOR = ';';

/** A tag as it is stored: composed letters, single spaces, without marks of direction. */
export const cleanTag = (text: string): string =>
  withoutDirectionMarks(text).normalize('NFC').replace(/\s+/g, ' ').trim();

/** Signs without width: joiners, soft hyphens. */
const INVISIBLE = /\p{Cf}/gu;

/**
 * What the spellings of one tag have in common: case, accents, spaces and signs without width do not count. Blank if
 * nothing is left.
 */
export const tagKey = (tag: string): string => normalizeForSearch(cleanTag(tag).replace(INVISIBLE, ''));

/** The tags in a text, between semicolons or line breaks; the blank parts of a list are none. */
export const tagsIn = (text: string): string[] => cleaned(text.split(/[;\r\n]/));

/** How mailing programs export tags: "VIP","Norte". */
const QUOTED_LIST = /^\s*"[^"]*"(?:\s*,\s*"[^"]*")+\s*$/;

/** The tags in a cell of a file, also as other programs write them. */
export const tagsInCell = (cell: string): string[] =>
  QUOTED_LIST.test(cell) ? cleaned([...cell.matchAll(/"([^"]*)"/g)].map(([, tag]) => tag!)) : tagsIn(cell);

const cleaned = (parts: string[]) => parts.map(cleanTag).filter((tag) => tag !== '');

/** The tags in one cell. */
export const writtenTags = (tags: readonly string[]): string => tags.join(TAG_SEPARATOR);

/** Each tag once, in its first spelling. */
export function eachTagOnce(tags: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const tag of tags) if (!first.has(tagKey(tag))) first.set(tagKey(tag), tag);
  return [...first.values()];
}
