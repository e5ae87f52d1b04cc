import { sql } from 'kysely';
import { containsWord, searchWords } from '../db/dialect.ts';
import type { Db } from '../db/tables.ts';
import { notFound } from '../errors.ts';
import { type PageRequest, readPageRequest } from './paging.ts';

/** The page that a list query asks for. @throws notFound for a malformed page number (D045) */
export function pageRequestOf(query: {
  page?: string | undefined;
  page_size?: string | undefined;
}): PageRequest {
  const request = readPageRequest(query);
  if (!request) throw notFound('Página no encontrada');
  return request;
}

/**
 * True for rows of a table in which every word of the text is found; null, for all of them, when the text is blank.
 * @param through see {@link containsWord}
 */
export function matchesText(
  db: Db,
  table: 'clients' | 'software' | 'license_types',
  text: string | undefined,
  through: 'index' | 'rows' = 'index',
) {
  const words = searchWords(text ?? '').map((word) => containsWord(db, table, word, through));
  return words.length === 0 ? null : sql<boolean>`(${sql.join(words, sql` and `)})`;
}

/** Reads `-created_at` and the like; an unknown name gives the fallback (D057). */
export function readOrdering<Name extends string>(
  text: string | undefined,
  names: readonly Name[],
  fallback: { name: Name; descending: boolean },
): { name: Name; descending: boolean } {
  const descending = text?.startsWith('-') ?? false;
  const wanted = descending ? text?.slice(1) : text;
  const name = names.find((known) => known === wanted);
  return name === undefined ? fallback : { name, descending };
}
