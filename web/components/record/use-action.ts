import { errorMessage } from '../../api/api-error.ts';
import { toasts } from '../../ui/toasts.ts';
import { useOneAtATime } from './use-one-at-a-time.ts';

/** Does something; a failure is a toast with this title and the reason. */
export async function orToast(failed: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    toasts.error(failed, errorMessage(error));
  }
}

/** An action of a button, one at a time, whose failure is a toast. @returns what runs it, and whether it runs */
export const useAction = <Given extends unknown[]>(
  failed: string,
  run: (...given: Given) => Promise<unknown>,
) => useOneAtATime((...given: Given) => orToast(failed, () => run(...given)));
