import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { publish } from '../../lib/publish-file.ts';
import { reasonOf } from '../../lib/reason-of.ts';
import type { Engine } from '../dialect.ts';
import { copyPostgres } from './copy-postgres.ts';
import { closeDraft, copySqlite } from './copy-sqlite.ts';
import { BadCopyError, tryCopy } from './try-copy.ts';

/** What to copy, and where to. `rowsMax` limits the rows of a PostgreSQL database. */
export type CopyOrder = { engine: Engine; draft: string; file: string; rowsMax: number };

/** A finished copy. `leftOut` are the tables of other programs in the same schema, which it does not contain. */
export type FinishedCopy = { size: number; leftOut: string[] };

/**
 * Copies a database into one SQLite file, verifies the copy and renames it. The caller removes the remains of the draft.
 * @throws TooManyRowsError if a PostgreSQL database has more rows than the limit
 */
export async function copyDatabase({ engine, draft, file, rowsMax }: CopyOrder): Promise<FinishedCopy> {
  const { counts, leftOut } =
    engine.kind === 'sqlite'
      ? { counts: await copySqlite(engine.file, draft), leftOut: [] }
      : await copyPostgres(engine, draft, rowsMax);
  closeDraft(draft);
  tryCopy(draft, counts);
  publish(draft, file);
  return { size: statSync(file).size, leftOut };
}

/**
 * Why a copy was not made, in Spanish.
 * @param folder the name of the copy's folder in the message
 */
export function whyNot(error: unknown, folder: string): string {
  if (error instanceof BadCopyError) return error.message;
  const code = (error as { code?: unknown }).code;
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') return `El disco de ${folder} está lleno.`;
  if (code === 'EACCES' || code === 'EROFS' || code === 'SQLITE_CANTOPEN') {
    return `No se puede escribir en ${folder}.`;
  }
  if (error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) {
    return 'La base de datos está dañada: npm run doctor dice qué hacer.';
  }
  return reasonOf(error).slice(0, 300);
}
