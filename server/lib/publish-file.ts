import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The name of a file that this process has not finished yet, beside the finished one. */
export const draftOf = (file: string): string => `${file}.${process.pid}.tmp`;

/** A draft, or what SQLite writes beside one; with the id of its process. */
const DRAFT = /^\.(\d+)\.tmp(-wal|-shm|-journal)?$/;

/** Whether a name is that of a draft of a file, or of what SQLite writes beside it; of any process. */
export const isDraftOf = (file: string, name: string): boolean => pidOfDraft(file, name) !== null;

function pidOfDraft(file: string, name: string): number | null {
  const match = name.startsWith(file) ? DRAFT.exec(name.slice(file.length)) : null;
  return match && Number(match[1]);
}

/** Removes a draft of this process, and what SQLite wrote beside it. */
export function removeDraft(draft: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${draft}${end}`, { force: true });
}

/** Removes the drafts of a file whose processes have ended: killed ones remove nothing themselves. */
export function removeLeftDrafts(file: string): void {
  const folder = dirname(file);
  for (const name of readdirSync(folder)) {
    const pid = pidOfDraft(basename(file), name);
    if (pid !== null && !isRunning(pid)) rmSync(join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is the process of another account.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Renames a finished file, so that the new name survives a power failure. */
export function publish(draft: string, file: string): void {
  flush(draft);
  renameSync(draft, file);
  flush(dirname(file));
}

/**
 * Writes a file, or the names in a folder, to the disk. Windows flushes only what is open for writing, and folders by
 * itself.
 */
export function flush(path: string): void {
  const isFolder = statSync(path).isDirectory();
  if (isFolder && process.platform === 'win32') return;
  const descriptor = openSync(path, isFolder ? 'r' : 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
