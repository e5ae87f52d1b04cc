import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { giveToOwnerOf } from '../lib/give-to-owner.ts';
import { draftOf, flush, isDraftOf, publish } from '../lib/publish-file.ts';

/**
 * A restore into a data folder, in steps between which the process may be killed. A file beside the database says how
 * far it is. While the copy is read, nothing has changed yet. From then on, the next process that locks the folder
 * finishes the restore. All functions need the folder's lock.
 */

/** A file to replace: `draft` becomes `target`, and what was there becomes `aside`. Names in the data folder. */
const replacement = z.object({ draft: z.string(), target: z.string(), aside: z.string() });
export type Replacement = z.infer<typeof replacement>;

const progress = z.union([
  z.object({ stage: z.literal('reading') }),
  z.object({ stage: z.literal('replacing'), files: z.array(replacement) }),
]);
type Progress = z.infer<typeof progress>;

/** The old database is set aside with its write-ahead log, which must not be applied to another file. */
const MOVED_ENDS = ['', '-wal', '-shm'];

/** A restore was interrupted, and there is no database. The message says what to do, in Spanish. */
export class InterruptedRestoreError extends Error {
  override name = 'InterruptedRestoreError';
}

const progressFileOf = (database: string): string => `${database}.restore`;

function readProgress(database: string): Progress | null {
  const file = progressFileOf(database);
  return existsSync(file) ? progress.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}

/** The draft of a restored key. It is named after the database, so that what killed restores left has one name. */
export const keyDraftOf = (database: string): string => draftOf(`${database}.key`);

function writeProgress(database: string, now: Progress): void {
  const file = progressFileOf(database);
  const draft = draftOf(file);
  try {
    writeFileSync(draft, `${JSON.stringify(now)}\n`, { mode: 0o600 });
    giveToOwnerOf(dirname(file), draft);
    publish(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

function endProgress(database: string): void {
  rmSync(progressFileOf(database), { force: true });
  flush(dirname(database));
}

/**
 * Notes that a copy is being read, and removes what killed restores left. A start in a folder without a database is
 * refused from now on.
 * @returns takes the note back, for a restore that fails; where a start was refused before, it still is afterwards
 */
export function beginRestore(database: string): () => void {
  const isRefused = interruption(database) !== null;
  if (readProgress(database) === null) writeProgress(database, { stage: 'reading' });
  removeDrafts(database);
  return () => {
    if (!isRefused) endProgress(database);
  };
}

/**
 * The steps that replace files by their finished drafts. Each can be repeated, so all of them finish a restore that
 * was killed after any of them.
 */
export function restoreSteps(database: string, files: Replacement[]): (() => void)[] {
  const at = (name: string) => join(dirname(database), name);
  return [
    () => writeProgress(database, { stage: 'replacing', files }),
    ...files.flatMap(({ draft, target, aside }) => [
      ...MOVED_ENDS.map((end) => () => {
        // Without its draft, the target is the new file already.
        if (!existsSync(at(draft)) || !existsSync(at(`${target}${end}`))) return;
        renameSync(at(`${target}${end}`), at(`${aside}${end}`));
      }),
      () => {
        if (existsSync(at(draft))) publish(at(draft), at(target));
      },
    ]),
    () => endProgress(database),
  ];
}

/**
 * Finishes a restore that was killed while it replaced files.
 * @returns whether there was one
 */
export function finishRestore(database: string): boolean {
  const found = readProgress(database);
  if (found?.stage !== 'replacing') return false;
  for (const step of restoreSteps(database, found.files)) step();
  return true;
}

/**
 * Puts a data folder in order before a server opens its database: finishes a restore that was killed, and removes what
 * killed ones left.
 * @returns whether it finished a restore
 * @throws InterruptedRestoreError as {@link refuseInterrupted}
 */
export function settleRestore(database: string): boolean {
  const isFinished = finishRestore(database);
  refuseInterrupted(database);
  if (readProgress(database) !== null) endProgress(database);
  removeDrafts(database);
  return isFinished;
}

/** Removes the files that killed restores had not finished. No restore runs, because the caller has the lock. */
export function removeDrafts(database: string): void {
  const files = [database, progressFileOf(database), `${database}.key`].map((file) => basename(file));
  const folder = dirname(database);
  for (const name of readdirSync(folder)) {
    if (files.some((file) => isDraftOf(file, name))) rmSync(join(folder, name), { force: true });
  }
}

/**
 * @throws InterruptedRestoreError if a restore has not replaced all files, or if the database is missing where there
 * was one, or where a restore was to make one: an empty installation must not begin in its place
 */
export function refuseInterrupted(database: string): void {
  const message = interruption(database);
  if (message !== null) throw new InterruptedRestoreError(message);
}

/** What an interrupted restore left in place of the database, as a message in Spanish; null if nothing. */
export function interruption(database: string): string | null {
  const folder = dirname(database);
  const name = basename(database);
  if (readProgress(database)?.stage === 'replacing') {
    return `Una restauración en ${folder} no terminó: la termina el próximo inicio del servidor, o npm run restore -- COPIA.`;
  }
  if (existsSync(database) || !existsSync(folder)) return null;
  const left = readdirSync(folder).filter((one) => one.startsWith(name));
  if (left.length === 0) return null;
  const aside = left.some((one) => one.includes('.anterior-'))
    ? ', o para volver a la base anterior quita «.anterior-…» del nombre de sus archivos'
    : '';
  return (
    `Falta ${name} en ${folder}, donde quedan archivos de una restauración sin terminar o de una base anterior: no se ` +
    `inicia un sistema vacío en su lugar. Repite npm run restore -- COPIA${aside}. Para empezar de cero, mueve a ` +
    `otra carpeta: ${left.join(', ')}.`
  );
}
