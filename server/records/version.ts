import type { Scope } from '../scope.ts';

/**
 * The next `updated_at`: now, but later than the previous one, so that two saves never share a version.
 * @param previous empty for a record that was not there
 */
export function nextVersion(previous: string, now: Date): string {
  return new Date(Math.max(now.getTime(), (Date.parse(previous) || 0) + 1)).toISOString();
}

/** True when a save may proceed: its caller names no version, or the stored one (D091). */
export const isExpected = ({ expected }: Pick<Scope, 'expected'>, stored: string): boolean =>
  expected?.includes(stored) ?? true;
