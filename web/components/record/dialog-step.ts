import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** A dialog that was opened from its own list: closing it goes back one step. */
    overList?: boolean;
  }
}

/** The `state` of a navigation that opens a dialog over the list it was opened from. */
export const OVER_LIST = { overList: true } as const;

/**
 * Closing a dialog that has an address. Opened from its list it takes that step back, so that Back never opens it a
 * second time; reached by a link, there is no such step, and `toList` replaces the address.
 */
export function useCloseDialog(toList: () => void): () => void {
  const router = useRouter();
  return useCallback(() => {
    if (router.history.location.state.overList) router.history.back();
    else toList();
  }, [router, toList]);
}
