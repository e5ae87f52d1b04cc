/**
 * What must be there, such as a row that this transaction holds or a field that a check before has asked for.
 * @param what names it in the error
 * @throws Error where it is not
 */
export function mustExist<Found>(found: Found | null | undefined, what: string): Found {
  if (found === undefined || found === null) throw new Error(`Not there: ${what}.`);
  return found;
}
