import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The `state` of a navigation that opens a dialog over its list. */
export const OVER_LIST = { overList: true } as const;

/**
 * Closes a dialog that has a URL. If it was opened from its list, this goes back in the history, so that Back does not
 * open the dialog again. If it was opened by a link, `toList` replaces the URL.
 */
export function useCloseDialog(toList: () => void): () => void {
  const { history } = useRouter();
  return useCallback(() => {
    if (history.location.state.overList) history.back();
    else toList();
  }, [history, toList]);
}
