import { useEffect, useState } from 'react';

type Phones = typeof import('../../../contract/reading/phones.ts');

let loaded: Phones | null = null;

/** The reader of phones, if something on the page has loaded it; else null. */
export const loadedPhones = (): Phones | null => loaded;

/** Loads the reader of phones: 30 kB with gzip, so no list and no sign-in waits for it (docs/decisions/126-telephones.md). */
export async function loadPhones(): Promise<Phones> {
  loaded ??= await import('../../../contract/reading/phones.ts');
  return loaded;
}

/**
 * The reader of phones; null until it has come. Without it a page works as before, only without suggestions.
 * @param isEnabled false: it is not loaded
 */
export function usePhones(isEnabled = true): Phones | null {
  const [phones, setPhones] = useState(loaded);
  useEffect(() => {
    if (!isEnabled || phones !== null) return;
    let isShown = true;
    loadPhones().then(
      (read) => isShown && setPhones(read),
      // Offline, or a newer version is served: the next page tries again.
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [isEnabled, phones]);
  return phones;
}
