import { CalledOff, errorMessage } from '../../api/api-error.ts';
import { toasts } from '../../ui/toasts.ts';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';

/** Runs a function. If it fails, a toast shows the title `failed` and the reason. */
export async function orToast(failed: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CalledOff)) toasts.error(failed, errorMessage(error));
  }
}

/**
 * A button's action that runs once at a time and shows failures in a toast.
 * @returns the function, and whether it is running
 */
export const useAction = <Given extends unknown[]>(
  failed: string,
  run: (...given: Given) => Promise<unknown>,
) => useOneAtATime((...given: Given) => orToast(failed, () => run(...given)));
