import { spawn } from 'node:child_process';
import { CopyError } from './copy-error.ts';
import { failureOf, outcomeOf } from './postgres-programs.ts';

/** The table in which an installation notes its migrations. */
export const MIGRATIONS = 'kysely_migration';

/** What a dump of pg_dump contains. */
export type DumpContent = {
  /** The schemas with tables of this program: one, or more in a dump that was made by hand. */
  schemas: string[];
  /** The other schemas with tables. */
  others: string[];
  /** The schema of pg_trgm, by which its indexes name it. */
  trigrams: string;
};

/** A name as pg_dump writes it: in double quotes if it has to be. */
const NAME = '(?:"(?:[^"]|"")+"|[a-z_][a-z0-9_$]*)';
const TABLE = new RegExp(`^CREATE TABLE (${NAME})\\.(${NAME}) \\(`, 'gm');
const TRIGRAMS = new RegExp(`(${NAME})\\.gin_trgm_ops\\b`);

const unquoted = (name: string): string =>
  name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;

/**
 * Reads which schemas a dump brings, and changes nothing.
 * @throws CopyError if it is damaged or of another program, or if pg_restore is missing
 */
export async function contentOfDump(file: string): Promise<DumpContent> {
  const reader = spawn('pg_restore', ['--schema-only', '--file=-', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const outcome = outcomeOf('pg_restore', reader);
  let text = '';
  for await (const chunk of reader.stdout.setEncoding('utf8')) text += chunk;
  const ended = await outcome;
  if (ended.hasFailed) throw failureOf([ended]);

  const tables = [...text.matchAll(TABLE)].map(([, schema = '', name = '']) => ({
    schema: unquoted(schema),
    name: unquoted(name),
  }));
  const schemas = tables.filter(({ name }) => name === MIGRATIONS).map(({ schema }) => schema);
  const [first] = schemas;
  if (first === undefined) throw new CopyError(`${file} no es una copia de License Manager.`);
  const others = new Set(tables.map(({ schema }) => schema).filter((schema) => !schemas.includes(schema)));
  const trigrams = TRIGRAMS.exec(text)?.[1];
  return { schemas, others: [...others], trigrams: trigrams === undefined ? first : unquoted(trigrams) };
}
