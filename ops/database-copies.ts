import { chmodSync, closeSync, copyFileSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../server/config.ts';
import { copyDatabase, type FinishedCopy, whyNot } from '../server/db/copies/copy-database.ts';
import { TooManyRowsError } from '../server/db/copies/copy-postgres.ts';
import { copySqlite } from '../server/db/copies/copy-sqlite.ts';
import { engineOf, prepareDataDir } from '../server/db/open.ts';
import {
  beginRestore,
  finishRestore,
  keyDraftOf,
  type Replacement,
  restoreSteps,
} from '../server/db/restore-steps.ts';
import { inScratchFolder, removeScratchFolders } from '../server/db/scratch-folder.ts';
import { LOCK_FILE, lockDataDir } from '../server/db/sqlite/data-dir-lock.ts';
import { giveToOwnerOf } from '../server/lib/give-to-owner.ts';
import { draftOf, removeDraft, removeLeftDrafts } from '../server/lib/publish-file.ts';
import { checkCopy } from './check-copy.ts';
import {
  CopyError,
  type MayReplace,
  NEVER,
  NotEmptyError,
  refuseToOverwrite,
  setAsideAs,
} from './copy-error.ts';
import { dumpIsRestoredBy, tooManyRows } from './dump-texts.ts';
import { moveToPostgres } from './move-to-postgres.ts';
import { lookInto, placeToCopy, refuseWhileInUse } from './postgres-place.ts';
import { checkKey, stageKey } from './secret-key-copies.ts';

/**
 * Makes a consistent copy of the database, also while the server writes: one SQLite file of either engine, as the daily
 * copies are. The file gets its final name only when it is complete, verified and flushed to disk.
 * @throws CopyError if the file exists, if there is nothing to copy, or if PostgreSQL has too many rows for a copy
 */
export async function backUp(config: Config, file: string): Promise<FinishedCopy> {
  refuseToOverwrite(file);
  removeLeftDrafts(file);
  const engine = engineOf(config);
  if (engine.kind === 'sqlite' && !existsSync(engine.file)) {
    throw new CopyError(`No hay una base de datos en ${engine.file}.`);
  }
  const place = engine.kind === 'postgres' ? await placeToCopy(engine.url) : null;
  const draft = draftOf(file);
  try {
    return await copyDatabase({ engine, draft, file, rowsMax: config.backupRowsMax });
  } catch (error) {
    if (error instanceof TooManyRowsError && place !== null) {
      throw new CopyError(tooManyRows(config, place, file, error.rows));
    }
    throw new CopyError(whyNot(error, dirname(resolve(file))));
  } finally {
    removeDraft(draft);
  }
}

/**
 * Restores a copy into a data folder or a PostgreSQL schema that is empty or may be replaced: an existing SQLite file
 * is renamed, PostgreSQL tables are dropped. Into a data folder the key of the copy is restored in the same steps, so
 * that neither is there without the other.
 * @throws NotEmptyError if the target has data that may not be replaced
 * @throws CopyError if the file is not a copy, if its check fails, or if it is of another version
 * @throws DataDirInUseError if a server uses the folder
 */
export async function restore(config: Config, file: string, mayReplace: MayReplace = NEVER): Promise<void> {
  await refuseOtherFormats(config, file);
  await checkKey(config, file, mayReplace);
  const engine = engineOf(config);
  removeScratchFolders(new Date());
  if (engine.kind === 'sqlite') {
    await restoreSqlite(config, engine.file, file, mayReplace);
    return;
  }
  const { schema, isEmpty } = await lookInto(engine.url);
  if (!isEmpty) {
    const there = `La base de datos de DATABASE_URL no está vacía: tiene tablas en el esquema «${schema}».`;
    if (!(await mayReplace(`${there} Se borra todo lo que hay en él.`))) {
      throw new NotEmptyError(
        `${there} Crea una nueva y restaura en ella, o agrega --replace para borrar todo lo que hay en ese esquema.`,
      );
    }
    await refuseWhileInUse(engine.url);
  }
  await inScratchFolder(async (scratch) => {
    // Works on a second copy, because opening a database migrates its schema.
    const source = join(scratch, 'copia.sqlite');
    await takeCopy(file, source);
    await moveToPostgres(source, engine, { replace: !isEmpty });
  });
}

async function restoreSqlite(
  config: Config,
  target: string,
  file: string,
  mayReplace: MayReplace,
): Promise<void> {
  prepareDataDir(config.dataDir);
  const lock = lockDataDir(config.dataDir, new Date(), config.timeZone);
  try {
    const isFinished = finishRestore(target);
    const isThere = existsSync(target);
    const aside = setAsideAs(target, new Date());
    const there = `${isFinished ? 'Se terminó una restauración que se había interrumpido. ' : ''}${config.dataDir} ya tiene una base de datos.`;
    if (isThere && !(await mayReplace(`${there} Se guarda como ${aside}.`))) {
      throw new NotEmptyError(
        `${there} Restaura en una carpeta vacía (DATA_DIR) y cambia a ella, o agrega --replace para apartar la que está.`,
      );
    }
    for (const step of restoreSteps(target, await readCopy(config, target, file, aside))) step();
  } finally {
    lock.release();
    giveToOwnerOf(config.dataDir, join(config.dataDir, LOCK_FILE));
  }
}

/**
 * Reads a copy and its key into drafts in the data folder.
 * @returns the files that they replace
 */
async function readCopy(config: Config, target: string, file: string, aside: string): Promise<Replacement[]> {
  const takeBack = beginRestore(target);
  const draft = draftOf(target);
  try {
    await takeCopy(file, draft);
    chmodSync(draft, 0o600);
    // The check has opened the file. It is complete by itself, so these are empty.
    for (const end of ['-wal', '-shm']) rmSync(`${draft}${end}`, { force: true });
    giveToOwnerOf(config.dataDir, draft);
    const files = [{ draft, target, aside }, ...stageKey(config, file, target)];
    return files.map((one) => ({
      draft: basename(one.draft),
      target: basename(one.target),
      aside: basename(one.aside),
    }));
  } catch (error) {
    for (const left of [draft, keyDraftOf(target)]) removeDraft(left);
    takeBack();
    throw error;
  }
}

/**
 * Copies a SQLite file and checks the copy. One that was not closed has its last commits in its write-ahead log, which
 * belongs to it.
 */
async function takeCopy(file: string, target: string): Promise<void> {
  if (existsSync(`${file}-wal`)) await copySqlite(file, target);
  else copyFileSync(file, target);
  await checkCopy(target, file);
}

async function refuseOtherFormats(config: Config, file: string): Promise<void> {
  if (!existsSync(file)) throw new CopyError(`El archivo ${file} no existe.`);
  const head = Buffer.alloc(16);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, head, 0, head.length, 0);
  closeSync(descriptor);
  if (head.toString('latin1').startsWith('SQLite format 3')) return;
  if (head.toString('latin1').startsWith('PGDMP')) throw new CopyError(await dumpIsRestoredBy(config, file));
  throw new CopyError(`${file} no es una copia hecha con npm run backup.`);
}
