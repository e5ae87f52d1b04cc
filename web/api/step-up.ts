/**
 * Actions that give rights away ask for the password again (PEOPLE-05): a call that was refused for it waits here until
 * the person has confirmed, and is then made again.
 */

type Ask = () => Promise<boolean>;

let ask: Ask | null = null;
let asking: Promise<boolean> | null = null;

/** Says who asks the person; null when nobody can. Call it where the dialog is. */
export function askWith(next: Ask | null): void {
  ask = next;
}

/** Asks the person, once for all calls that wait. @returns whether the person confirmed */
export async function confirmAgain(): Promise<boolean> {
  if (ask === null) return false;
  asking ??= ask().finally(() => {
    asking = null;
  });
  return asking;
}
