import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** How long lists are cached: five minutes (SEED-4-26, D052). */
const STALE_MS = 5 * 60 * 1000;
export const RETRY_DELAY_MS = 1000;

/** Every failure is retried once, except a 401, which means that the session has ended (SEED-4-27, D051). */
export function shouldRetry(failures: number, error: unknown): boolean {
  return failures < 1 && !(error instanceof ApiError && error.status === 401);
}

/** Creates the console's cache of server data. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        gcTime: 2 * STALE_MS,
        retry: shouldRetry,
        retryDelay: RETRY_DELAY_MS,
        refetchOnWindowFocus: false,
        // Without a network, a query fails and shows its error instead of waiting.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
