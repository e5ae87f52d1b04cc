/**
 * Returns a value that must exist, such as a row that this transaction has locked, or a field that an earlier check
 * requires.
 * @param what describes the value in the error
 * @throws Error if it does not exist
 */
export function mustExist<Found>(found: Found | null | undefined, what: string): Found {
  if (found === undefined || found === null) throw new Error(`Not there: ${what}.`);
  return found;
}
