/**
 * Some calls, such as those that grant rights, require the password again (PEOPLE-05). A call that was refused for
 * this reason waits here until the person has confirmed, and is then repeated.
 */

type Ask = () => Promise<boolean>;

let ask: Ask | null = null;
let asking: Promise<boolean> | null = null;

/**
 * Sets the function that asks the person for the password; null if there is none. The component with the dialog calls
 * it.
 */
export function askWith(next: Ask | null): void {
  ask = next;
}

/**
 * Asks the person for the password, once for all waiting calls.
 * @returns whether the person confirmed; null if nothing on the screen can ask
 */
export async function confirmAgain(): Promise<boolean | null> {
  if (ask === null) return null;
  asking ??= ask().finally(() => {
    asking = null;
  });
  return asking;
}
