import type { Scope } from '../scope.ts';

/**
 * The next `updated_at`: now, but always later than the previous one, so that two saves never get the same version.
 * @param previous empty for a new record
 */
export function nextVersion(previous: string, now: Date): string {
  return new Date(Math.max(now.getTime(), (Date.parse(previous) || 0) + 1)).toISOString();
}

/** True if a save may proceed: the caller sent no version, or the stored one is among those sent (D091). */
export const isExpected = ({ expected }: Pick<Scope, 'expected'>, stored: string): boolean =>
  expected?.includes(stored) ?? true;
