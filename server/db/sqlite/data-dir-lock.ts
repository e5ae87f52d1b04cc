import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Who holds a data folder. */
export type LockOwner = { pid: number; since: string };

export type DataDirLock = {
  /** Gives the folder back. May be called twice. */
  release: () => void;
};

const LOCK_FILE = 'server.lock';
const OWNER_FILE = 'server.owner.json';

/** A lock that nothing points to would be given back by the garbage collector, whatever its holder believes. */
const held = new Set<Database.Database>();

/** Another process works on the folder. The message names it, in Spanish, and says what can be done. */
export class DataDirInUseError extends Error {
  override name = 'DataDirInUseError';
  readonly owner: LockOwner | null;

  constructor(dataDir: string, owner: LockOwner | null, timeZone: string) {
    super(
      `La carpeta de datos ${dataDir} ya está en uso por ${describe(owner, timeZone)}. ` +
        'Detén ese proceso o indica otra carpeta con DATA_DIR.',
    );
    this.owner = owner;
  }
}

/**
 * Makes this process the only one that works on a data folder, or fails at once.
 *
 * The lock is one of the operating system, taken through SQLite's own locking (an exclusive transaction on an empty
 * file): the system drops it when its owner dies by whatever death, so there is no stale lock to judge, and a number
 * of a process that was given again to a stranger misleads nobody. The owner's number stands beside it, only to be
 * shown.
 * @param timeZone the zone in which the message tells since when
 * @throws DataDirInUseError when a living process holds it, in this program or another
 */
export function lockDataDir(dataDir: string, now: Date, timeZone: string): DataDirLock {
  const ownerFile = join(dataDir, OWNER_FILE);
  const lock = new Database(join(dataDir, LOCK_FILE), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new DataDirInUseError(dataDir, readOwner(ownerFile), timeZone);
  }
  held.add(lock);
  const owner: LockOwner = { pid: process.pid, since: now.toISOString() };
  // What is only shown must not keep the server from starting: on a full disk the lock holds without it.
  quietly(() => writeFileSync(ownerFile, `${JSON.stringify(owner)}\n`, { mode: 0o600 }));
  return {
    release: () => {
      if (!held.delete(lock)) return;
      quietly(() => rmSync(ownerFile, { force: true }));
      lock.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // See the callers: nothing depends on it.
  }
}

function readOwner(file: string): LockOwner | null {
  try {
    const owner: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof owner !== 'object' || owner === null || !('pid' in owner) || !('since' in owner)) return null;
    const { pid, since } = owner;
    return typeof pid === 'number' && typeof since === 'string' ? { pid, since } : null;
  } catch {
    return null;
  }
}

function describe(owner: LockOwner | null, timeZone: string): string {
  if (owner === null) return 'otro proceso';
  const moment = new Date(owner.since);
  if (Number.isNaN(moment.getTime())) return `el proceso ${owner.pid}`;
  const since = moment.toLocaleString('es-MX', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
    hour12: false,
  });
  return `el proceso ${owner.pid} desde el ${since}`;
}
