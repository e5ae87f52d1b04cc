import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Path, SearchOf } from './addresses.ts';
import { block, currentPlace, navigate, type Place, watchPlace } from './navigation.ts';

/**
 * Reads the current place; the component is drawn again when what it reads changes.
 * @param select returns a plain value, or an object that the place keeps
 */
export const usePlace = <Value>(select: (place: Place) => Value): Value =>
  useSyncExternalStore(watchPlace, () => select(currentPlace()));

/** The search parameters of the address, as the route of this path reads them. */
export const useSearch = <At extends Path>(_path: At): SearchOf<At> =>
  usePlace(({ search }) => search) as SearchOf<At>;

/** The named part of the address, such as the id of a record. */
export const useParam = (name: 'id' | 'kind'): string | undefined => usePlace(({ params }) => params[name]);

export type Navigate = typeof navigate;

/** The function that opens an address. It stays the same. */
export const useNavigate = (): Navigate => navigate;

interface Guard {
  /** Whether a step is held now; also asked before the tab is closed. */
  holds: () => boolean;
}

interface Held {
  /** Makes the held step. */
  proceed: () => void;
  /** Drops it. */
  stay: () => void;
}

/**
 * Holds every step away from an address, and the closing of the tab.
 * @returns the step that is held, for the person to decide; null: none
 */
export function useStepGuard({ holds }: Guard): Held | null {
  const [held, setHeld] = useState<Held | null>(null);
  const latest = useRef(holds);
  useEffect(() => {
    latest.current = holds;
  });
  useEffect(() => {
    const release = block(() => {
      if (!latest.current()) return false;
      return new Promise<boolean>((resolve) => {
        const decide = (refused: boolean) => () => {
          setHeld(null);
          resolve(refused);
        };
        setHeld({ proceed: decide(false), stay: decide(true) });
      });
    });
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!latest.current()) return;
      event.preventDefault();
      // For browsers that do not ask otherwise.
      event.returnValue = '';
    };
    window.addEventListener('beforeunload', onUnload);
    return () => {
      release();
      window.removeEventListener('beforeunload', onUnload);
    };
  }, []);
  return held;
}
