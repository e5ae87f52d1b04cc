import { existsSync } from 'node:fs';

/** A failed backup or restore. The message gives the cause and the remedy, in Spanish. */
export class CopyError extends Error {
  override name = 'CopyError';
}

/** The target of a restore has data, and the person did not agree to replace it. */
export class NotEmptyError extends CopyError {
  override name = 'NotEmptyError';
}

/**
 * Asks whether existing data in the target of a restore may be replaced.
 * @param what describes the data and what will happen to it, in Spanish
 */
export type MayReplace = (what: string) => Promise<boolean>;
export const NEVER: MayReplace = async () => false;

/** The name under which a restore keeps the replaced file, in the same folder; no file has it yet. */
export function setAsideAs(file: string, now: Date): string {
  const name = `${file}.anterior-${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}`;
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? name : `${name}-${count}`;
    if (!existsSync(free)) return free;
  }
}

/** @throws CopyError if the file exists */
export function refuseToOverwrite(file: string): void {
  if (existsSync(file)) throw new CopyError(`El archivo ${file} ya existe; indica otro nombre.`);
}
