import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataDir } from './sqlite/data-dir-lock.ts';

/** Folders for work that may be killed. Each is locked while its process lives, so that others can remove it later. */

const NAME = /^lm-restore-[A-Za-z0-9]{6}$/;
/** A younger folder may not be locked yet. */
const YOUNG_MS = 60_000;

/** Does work with a temporary folder of its own, which is removed afterwards. */
export async function inScratchFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'lm-restore-'));
  const lock = lockDataDir(folder, new Date(), 'UTC');
  try {
    return await work(folder);
  } finally {
    lock.release();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes the folders of processes of this account that were killed. */
export function removeScratchFolders(now: Date): void {
  try {
    for (const name of readdirSync(tmpdir())) {
      if (NAME.test(name)) removeIfLeft(join(tmpdir(), name), now);
    }
  } catch {
    // A later call tries again; nothing depends on it.
  }
}

function removeIfLeft(folder: string, now: Date): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) return;
  if (now.getTime() - found.mtimeMs < YOUNG_MS) return;
  try {
    lockDataDir(folder, now, 'UTC').release();
  } catch {
    // It is in use, or another process removes it.
    return;
  }
  rmSync(folder, { recursive: true, force: true });
}
