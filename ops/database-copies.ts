import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import type { Config } from '../server/config.ts';
import type { Engine } from '../server/db/dialect.ts';
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
import { draftOf, publish, removeDraft, removeLeftDrafts } from '../server/lib/publish-file.ts';
import {
  CopyError,
  type MayReplace,
  NEVER,
  NotEmptyError,
  refuseToOverwrite,
  setAsideAs,
} from './copy-error.ts';
import { contentOfDump } from './dump-content.ts';
import { moveToPostgres } from './move-to-postgres.ts';
import {
  placeForDump,
  refuseWhileInUse,
  schemaToCopy,
  schemaWithTables,
  statementsThatDropEverything,
} from './postgres-place.ts';
import { dumpPostgres, restorePostgres } from './postgres-programs.ts';
import { stageKey } from './secret-key-copies.ts';

/**
 * Makes a consistent copy of the database, also while the server writes. On SQLite, VACUUM INTO reads in one
 * transaction and blocks no writer. On PostgreSQL it is a pg_dump in the custom format. The file gets its final name
 * only when it is complete, checked and flushed to disk.
 * @returns its size in bytes
 * @throws CopyError if the file exists, if there is nothing to copy, or if pg_dump is missing or fails
 */
export async function backUp(engine: Engine, file: string): Promise<number> {
  refuseToOverwrite(file);
  removeLeftDrafts(file);
  const draft = draftOf(file);
  try {
    if (engine.kind === 'sqlite') copySqlite(engine.file, draft);
    else await dumpPostgres(engine.url, await schemaToCopy(engine.url), draft);
    chmodSync(draft, 0o600);
    publish(draft, file);
  } finally {
    removeDraft(draft);
  }
  return statSync(file).size;
}

/** A database without tables may have it, after a restore of an earlier version that failed. */
const DROP_COLLATION = 'drop collation if exists "binary"';

/**
 * Restores a copy into a data folder or a PostgreSQL schema that is empty or may be replaced: an existing SQLite file
 * is renamed, PostgreSQL tables are dropped. Into a data folder the key of the copy is restored in the same steps, so
 * that neither is there without the other. A copy from SQLite can also be restored into PostgreSQL, to move an
 * installation to several machines.
 * @returns a message for the person, in Spanish; null if there is nothing to say
 * @throws NotEmptyError if the target has data that may not be replaced
 * @throws CopyError if the file is not a copy, if its check fails, or if the server would not find its tables
 * @throws DataDirInUseError if a server uses the folder
 */
export async function restore(
  config: Config,
  file: string,
  mayReplace: MayReplace = NEVER,
): Promise<string | null> {
  const kind = kindOf(file);
  const engine = engineOf(config);
  removeScratchFolders(new Date());
  if (engine.kind === 'sqlite') {
    if (kind !== 'sqlite') {
      throw new CopyError(`${file} es una copia de PostgreSQL: indica DATABASE_URL para restaurarla.`);
    }
    await restoreSqlite(config, engine.file, file, mayReplace);
    return null;
  }
  const { url } = engine;
  const dump = kind === 'postgres' ? await contentOfDump(file) : null;
  const place = dump && (await placeForDump(url, dump));
  const full = await schemaWithTables(url, place?.schema);
  const replace = full !== null;
  if (replace) {
    const there = `La base de datos de DATABASE_URL no está vacía: tiene tablas en el esquema «${full}».`;
    if (!(await mayReplace(`${there} Se borra todo lo que hay en él.`))) {
      throw new NotEmptyError(
        `${there} Crea una nueva y restaura en ella, o agrega --replace para borrar todo lo que hay en ese esquema.`,
      );
    }
    await refuseWhileInUse(url);
  }
  if (dump && place) {
    const drops = replace ? await statementsThatDropEverything(url) : [DROP_COLLATION];
    await restorePostgres(url, file, { ...place, statements: [...drops, ...place.statements] });
    if (dump.others.length === 0) return null;
    return `La copia tiene también esquemas de otros programas, que no se restauraron: ${dump.others.join(', ')}.`;
  }
  await inScratchFolder('restore', async (scratch) => {
    // Works on a second copy, because opening a database migrates its schema.
    const source = join(scratch, 'copia.sqlite');
    takeCopy(file, source);
    checkSqlite(source);
    await moveToPostgres(source, engine, { replace });
  });
  return null;
}

function copySqlite(source: string, target: string): void {
  if (!existsSync(source)) throw new CopyError(`No hay una base de datos en ${source}.`);
  const database = new Database(source, { readonly: true, timeout: 10_000 });
  try {
    database.prepare('vacuum into ?').run(target);
  } finally {
    database.close();
  }
  checkSqlite(target);
}

/** @throws CopyError if the file is damaged, or is a database of another program */
function checkSqlite(file: string): void {
  const database = new Database(file, { readonly: true });
  try {
    const check = database.pragma('quick_check', { simple: true });
    if (check !== 'ok') throw new CopyError(`La copia está dañada: ${String(check)}`);
    const ours = database.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get();
    if (ours === undefined) throw new CopyError(`${file} no es una copia de License Manager.`);
  } catch (error) {
    if (error instanceof Database.SqliteError) throw new CopyError(`La copia está dañada: ${error.message}`);
    throw error;
  } finally {
    database.close();
  }
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
    for (const step of restoreSteps(target, readCopy(config, target, file, aside))) step();
  } finally {
    lock.release();
    giveToOwnerOf(config.dataDir, join(config.dataDir, LOCK_FILE));
  }
}

/**
 * Reads a copy and its key into drafts in the data folder.
 * @returns the files that they replace
 */
function readCopy(config: Config, target: string, file: string, aside: string): Replacement[] {
  const takeBack = beginRestore(target);
  const draft = draftOf(target);
  try {
    takeCopy(file, draft);
    chmodSync(draft, 0o600);
    checkSqlite(draft);
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

/** Copies a SQLite file. One that was not closed has its last commits in its write-ahead log, which belongs to it. */
function takeCopy(file: string, target: string): void {
  if (existsSync(`${file}-wal`)) copySqlite(file, target);
  else copyFileSync(file, target);
}

function kindOf(file: string): Engine['kind'] {
  if (!existsSync(file)) throw new CopyError(`El archivo ${file} no existe.`);
  const head = Buffer.alloc(16);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, head, 0, head.length, 0);
  closeSync(descriptor);
  if (head.toString('latin1').startsWith('SQLite format 3')) return 'sqlite';
  if (head.toString('latin1').startsWith('PGDMP')) return 'postgres';
  throw new CopyError(`${file} no es una copia hecha con npm run backup.`);
}
