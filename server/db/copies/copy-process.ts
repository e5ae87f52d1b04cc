import { statSync } from 'node:fs';
import { setPriority } from 'node:os';
import Database from 'better-sqlite3';
import { publish } from '../../lib/publish-file.ts';
import { reasonOf } from '../../lib/reason-of.ts';
import type { Engine } from '../dialect.ts';
import { copyPostgres, TooManyRowsError } from './copy-postgres.ts';
import { closeDraft, copySqlite } from './copy-sqlite.ts';
import { BadCopyError, tryCopy } from './try-copy.ts';

/**
 * Runs as a separate process, which make-copy.ts starts. It copies the database, verifies the copy and renames it. So
 * reading every page and row delays no call, and a crash of this process does not end the server. make-copy.ts
 * removes the remains of a draft.
 */

/** What to copy, and where to. */
export type CopyOrder = { engine: Engine; draft: string; file: string; rowsMax: number };
export type CopyOutcome =
  | { kind: 'made'; size: number }
  | { kind: 'skipped'; rows: number }
  | { kind: 'failed'; reason: string };

async function makeCopy({ engine, draft, file, rowsMax }: CopyOrder): Promise<CopyOutcome> {
  try {
    const counts =
      engine.kind === 'sqlite'
        ? await copySqlite(engine.file, draft)
        : await copyPostgres(engine, draft, rowsMax);
    closeDraft(draft);
    tryCopy(draft, counts);
    publish(draft, file);
    return { kind: 'made', size: statSync(file).size };
  } catch (error) {
    if (error instanceof TooManyRowsError) return { kind: 'skipped', rows: error.rows };
    return { kind: 'failed', reason: whyNot(error) };
  }
}

function whyNot(error: unknown): string {
  if (error instanceof BadCopyError) return error.message;
  const code = (error as { code?: unknown }).code;
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') return 'El disco de BACKUP_DIR está lleno.';
  if (code === 'EACCES' || code === 'EROFS' || code === 'SQLITE_CANTOPEN') {
    return 'No se puede escribir en BACKUP_DIR.';
  }
  if (error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) {
    return 'La base de datos está dañada: npm run doctor dice qué hacer.';
  }
  return reasonOf(error).slice(0, 300);
}

if (import.meta.main) {
  process.umask(0o077);
  setPriority(10);
  // The server has ended or given up. An unfinished copy has no final name yet.
  process.on('disconnect', () => process.exit(1));
  process.once('message', async (order: CopyOrder) => {
    const outcome = await makeCopy(order);
    process.send?.(outcome, () => process.disconnect());
  });
}
