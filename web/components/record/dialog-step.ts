import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Marks a dialog that was opened from its list: closing it goes back one step. */
    overList?: boolean;
  }
}

/** The `state` of a navigation that opens a dialog over the list it was opened from. */
export const OVER_LIST = { overList: true } as const;

/**
 * Closes a dialog that has a URL. If it was opened from its list, this goes back one step, so that Back does not open
 * the dialog again; if it was reached by a link, `toList` replaces the URL.
 */
export function useCloseDialog(toList: () => void): () => void {
  const router = useRouter();
  return useCallback(() => {
    if (router.history.location.state.overList) router.history.back();
    else toList();
  }, [router, toList]);
}
