import { closeSync, openSync, readSync } from 'node:fs';
import { MIGRATIONS, type PostgresPlace } from './postgres-place.ts';

/** A dump in the custom format of pg_dump begins with its list of contents, in which the statements are plain text. */
const LIST_BYTES = 16_000_000;

/** A name as pg_dump writes it: in double quotes if it has to be. */
const NAME = '(?:"(?:[^"]|"")+"|[a-z_][a-z0-9_$]*)';
const TABLES = new RegExp(`CREATE TABLE (${NAME})\\.${MIGRATIONS} \\(`, 'g');
const TRIGRAMS = new RegExp(`(${NAME})\\.gin_trgm_ops\\b`);

const unquoted = (name: string): string =>
  name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;

/**
 * The place that an installation had when pg_dump copied it.
 * @param preferred its schema, if the dump has several installations
 * @returns null if the dump has none
 */
export function placeInDump(file: string, preferred: string): PostgresPlace | null {
  const list = Buffer.alloc(LIST_BYTES);
  const descriptor = openSync(file, 'r');
  const bytes = readSync(descriptor, list, 0, list.length, 0);
  closeSync(descriptor);
  const text = list.toString('utf8', 0, bytes);
  const schemas = [...text.matchAll(TABLES)].map(([, name = '']) => unquoted(name));
  const schema = schemas.find((one) => one === preferred) ?? schemas[0];
  if (schema === undefined) return null;
  const trigrams = TRIGRAMS.exec(text)?.[1];
  return { schema, trigrams: trigrams === undefined ? schema : unquoted(trigrams) };
}
