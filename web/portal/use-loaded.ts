import { useCallback, useEffect, useRef, useState } from 'react';
import { asCallError, type CallError } from './call.ts';
import { comebacks } from './connection.ts';
import { useStore } from './store.ts';

type Loaded<Data> =
  | { state: 'loading' }
  | { state: 'failed'; error: CallError }
  | { state: 'here'; data: Data };

/**
 * Fetches data from the server: at the start, when `key` changes, when the connection is restored, and by `reload`.
 * The previous data stays while it is fetched again, and if there is no answer.
 * @param key identifies the data; with another key the previous data is discarded
 */
export function useLoaded<Data>(key: string, load: () => Promise<Data>) {
  const [kept, setKept] = useState<{ key: string; loaded: Loaded<Data> }>({
    key,
    loaded: { state: 'loading' },
  });
  const comeback = useStore(comebacks);
  const latest = useRef({ key, load });
  latest.current = { key, load };

  const reload = useCallback(async () => {
    const asked = latest.current.key;
    const put = (next: (before: Loaded<Data>) => Loaded<Data>) => {
      // A late answer for a previous key is ignored.
      if (latest.current.key !== asked) return;
      setKept((before) => ({
        key: asked,
        loaded: next(before.key === asked ? before.loaded : { state: 'loading' }),
      }));
    };
    try {
      const data = await latest.current.load();
      put(() => ({ state: 'here', data }));
    } catch (thrown) {
      const error = asCallError(thrown);
      put((before) => (before.state === 'here' && error.status === 0 ? before : { state: 'failed', error }));
    }
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: read again for another key and after a comeback
  useEffect(() => void reload(), [reload, key, comeback]);

  const loaded: Loaded<Data> = kept.key === key ? kept.loaded : { state: 'loading' };
  return { loaded, reload };
}
