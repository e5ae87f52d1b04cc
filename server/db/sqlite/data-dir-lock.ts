import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** The process that holds a data folder. */
type LockOwner = { pid: number; since: string };

type DataDirLock = {
  /** Releases the folder. May be called twice. */
  release: () => void;
};

export const LOCK_FILE = 'server.lock';
const OWNER_FILE = 'server.owner.json';

/** References to the held locks, so that the garbage collector does not close them. */
const locks = new Set<Database.Database>();

/** Another process uses the folder. The message describes that process and the remedy, in Spanish. */
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
 * Locks a data folder for this process, or fails at once.
 *
 * It is a lock of the operating system, taken through SQLite (an exclusive transaction on an empty file). The system
 * releases it however the process ends, so no stale lock can remain, and a reused pid does not matter. The owner's
 * pid is stored beside the lock only for the error message.
 * @param timeZone the time zone for the time in the error message
 * @throws DataDirInUseError when another process, or this one, holds the lock
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
  locks.add(lock);
  const owner: LockOwner = { pid: process.pid, since: now.toISOString() };
  // The owner file only serves the error message: on a full disk the lock works without it.
  quietly(() => writeFileSync(ownerFile, `${JSON.stringify(owner)}\n`, { mode: 0o600 }));
  return {
    release: () => {
      if (!locks.delete(lock)) return;
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
    // Callers do not need the result.
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
