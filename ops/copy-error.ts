/** A failed backup or restore. The message gives the cause and the remedy, in Spanish. */
export class CopyError extends Error {
  override name = 'CopyError';
}

/** The place of a restore holds something, and nobody agreed to replace it. */
export class NotEmptyError extends CopyError {
  override name = 'NotEmptyError';
}

/**
 * Asks whether what is in the place of a restore may be replaced.
 * @param what says what is there and what becomes of it, in Spanish
 */
export type MayReplace = (what: string) => Promise<boolean>;
export const NEVER: MayReplace = async () => false;

/** How what a restore replaces is kept beside it. */
export const setAsideAs = (file: string, now: Date): string =>
  `${file}.anterior-${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}`;
