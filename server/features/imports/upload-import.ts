import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { ImportKind } from '../../../contract/import-fields.ts';
import type { ImportUpload } from '../../../contract/imports.ts';
import type { AppContext } from '../../context.ts';
import { type Actor, inScope, type Origin } from '../../scope.ts';
import { type Chunk, insertChunks, insertImport, updateImport } from './imports.queries.ts';
import { readSheet, type SheetHead, type SheetRow } from './read-sheet.ts';

/** Rows in one transaction of the check and the run: on SQLite all requests wait for it. */
const CHUNK = 25;
/** Chunks that are stored at a time. */
const CHUNKS_AT_ONCE = 20;

/**
 * Stores the rows of a file, some in each transaction. An import counts once its `total` is stored; what a killed
 * process leaves is deleted with past imports.
 * @throws AppError 400 or 415 for a file that cannot be imported; nothing of it stays
 */
export async function uploadImport(
  context: AppContext,
  { kind, bytes, actor, origin }: { kind: ImportKind; bytes: Buffer; actor: Actor; origin: Origin },
): Promise<ImportUpload> {
  const by = { actor, origin };
  let head: SheetHead | undefined;
  let id = 0;
  let total = 0;
  let waiting: SheetRow[] = [];
  const store = async (atLeast: number) => {
    while (waiting.length >= atLeast && waiting.length > 0) {
      const chunks: Chunk[] = [];
      const some = waiting.slice(0, CHUNK * CHUNKS_AT_ONCE);
      for (let start = 0; start < some.length; start += CHUNK) {
        chunks.push({ position: total + start, rows: some.slice(start, start + CHUNK) });
      }
      await insertChunks(context.db, id, chunks);
      waiting = waiting.slice(some.length);
      total += some.length;
      await letOthersRun();
    }
  };
  try {
    for await (const part of readSheet(kind, bytes)) {
      if ('head' in part) {
        const found = part.head;
        head = found;
        id = await inScope(context, by, (scope) => insertImport(scope, kind, found));
      } else {
        waiting.push(...part.rows);
        await store(CHUNK * CHUNKS_AT_ONCE);
      }
    }
    await store(1);
  } catch (error) {
    if (id > 0) await context.db.deleteFrom('imports').where('id', '=', id).execute();
    throw error;
  }
  await updateImport(context.db, id, { total });
  const { columns, sample, mapping, warnings } = head!;
  return { id, kind, columns, sample, rows: total, mapping, warnings };
}
