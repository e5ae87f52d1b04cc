import { type FetchQueryOptions, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { actions } from '../../text/es.ts';

/** A record that was fetched less than this time ago is not prefetched again. */
const FRESH_MS = 5000;

/**
 * Prefetches the record of a row when a link or button of the row gets the pointer or the focus, so that its dialog
 * opens with data.
 * @param query the record's query, as used by its dialog; without it nothing is prefetched
 */
export function useRecordAhead<Saved, Key extends QueryKey>(
  query: ((id: number) => FetchQueryOptions<Saved, Error, Saved, Key>) | undefined,
): void {
  const queryClient = useQueryClient();
  const latest = useRef(query);
  latest.current = query;
  useEffect(() => {
    const onReach = ({ target }: Event) => {
      const ahead = latest.current;
      if (ahead === undefined) return;
      const reached =
        target instanceof Element ? target.closest('#contenido [data-row-key] :is(a, button)') : null;
      if (reached === null || reached.getAttribute('aria-label') === actions.remove) return;
      const id = Number(reached.closest('[data-row-key]')?.getAttribute('data-row-key'));
      if (id > 0) void queryClient.prefetchQuery({ ...ahead(id), staleTime: FRESH_MS });
    };
    document.addEventListener('pointerover', onReach, { passive: true });
    document.addEventListener('focusin', onReach);
    return () => {
      document.removeEventListener('pointerover', onReach);
      document.removeEventListener('focusin', onReach);
    };
  }, [queryClient]);
}
