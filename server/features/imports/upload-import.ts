import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import type { ImportUpload } from '../../../contract/imports/imports.ts';
import type { AppContext } from '../../context.ts';
import { readsInProcess } from '../../db/dialect.ts';
import { plainNumber } from '../../lib/workbook/cell-value.ts';
import { type Actor, inScope, type Origin } from '../../scope.ts';
import { ColumnFacts } from './column-facts.ts';
import type { ImportOptions } from './import-options.ts';
import type { ImportSource } from './import-source.ts';
import {
  type Chunk,
  firstRows,
  insertChunks,
  insertImport,
  readingInAnswer,
  updateImport,
} from './imports.queries.ts';
import { readSheet, type SheetHead, type SheetRow, warningsOf } from './read-sheet.ts';

/** Rows in one transaction of the check and the run; on SQLite all requests wait for it. */
const CHUNK = 25;
/**
 * A chunk also ends when its cells have more characters than this, so that a few long rows take no longer than many
 * short ones.
 */
const CHUNK_CHARACTERS = 32 * 1024;
/** Chunks that are stored in one statement. */
const CHUNKS_AT_ONCE = 8;

const charactersOf = ([, ...cells]: SheetRow) =>
  cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell : plainNumber(cell)).length, 0);

/**
 * Divides rows into chunks.
 * @param position the position of the first row
 */
function chunksOf(rows: readonly SheetRow[], position: number): Chunk[] {
  const chunks: { position: number; rows: SheetRow[] }[] = [];
  let characters = 0;
  for (const [index, row] of rows.entries()) {
    const last = chunks.at(-1);
    const more = charactersOf(row);
    characters += more;
    if (last && last.rows.length < CHUNK && characters <= CHUNK_CHARACTERS) last.rows.push(row);
    else {
      chunks.push({ position: position + index, rows: [row] });
      characters = more;
    }
  }
  return chunks;
}

/**
 * Stores the rows of a file, some in each transaction. An import is valid once its `total` is stored; remains of a
 * killed process are deleted together with old imports.
 * @param sheet the sheet of a workbook that the caller named
 * @throws AppError 400, 413 or 415 for a file that cannot be imported; then nothing of it stays stored
 */
export async function uploadImport(
  context: AppContext,
  {
    kind,
    bytes,
    sheet,
    actor,
    origin,
  }: { kind: ImportKind; bytes: Buffer; sheet?: string | undefined; actor: Actor; origin: Origin },
): Promise<ImportUpload> {
  const by = { actor, origin };
  let read: { head: SheetHead; source: ImportSource } | undefined;
  let id = 0;
  let total = 0;
  let waiting: SheetRow[] = [];
  const facts = new ColumnFacts();
  /**
   * Stores the waiting rows. The last chunk is not stored yet, because more rows may fit into it, unless it is the
   * end.
   */
  const store = async (isEnd: boolean) => {
    const chunks = chunksOf(waiting, total);
    const full = isEnd ? chunks : chunks.slice(0, -1);
    for (let start = 0; start < full.length; start += CHUNKS_AT_ONCE) {
      const began = performance.now();
      await insertChunks(context.db, id, full.slice(start, start + CHUNKS_AT_ONCE));
      // A pause as long as the statement took: if statements run in this process, other requests waited for it.
      if (readsInProcess(context.db)) await sleep(performance.now() - began);
    }
    const count = full.reduce((sum, { rows }) => sum + rows.length, 0);
    waiting = waiting.slice(count);
    total += count;
  };
  try {
    for await (const part of readSheet(kind, bytes, { sheet })) {
      if ('head' in part) {
        read = part;
        id = await inScope(context, by, (scope) => insertImport(scope, kind, part.head, part.source));
      } else if ('end' in part) read = { head: read!.head, source: { ...read!.source, ...part.end } };
      else {
        facts.add(part.rows);
        waiting.push(...part.rows);
        if (waiting.length >= CHUNK) await store(false);
      }
    }
    await store(true);
  } catch (error) {
    if (id > 0) await context.db.deleteFrom('imports').where('id', '=', id).execute();
    throw error;
  }
  const { head, source } = read!;
  const { columns, sample } = head;
  const mapping = facts.suggest(kind, columns);
  const options: ImportOptions = { source, suggested: mapping };
  const warnings = warningsOf(source, head.warnings);
  await updateImport(context.db, id, {
    total,
    warnings: JSON.stringify(warnings),
    mapping: JSON.stringify(mapping),
    options: JSON.stringify(options),
  });
  const reading = await readingInAnswer(kind, source, () => firstRows(context.db, id));
  return { id, kind, columns, sample, rows: total, mapping, warnings, ...reading };
}
