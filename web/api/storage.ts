/** Local storage that may be refused (private windows): then nothing is remembered and nothing breaks. */

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Remembers a text under a key; null forgets it. */
export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // What could not be written holds until the page is closed, in the memory of whoever wrote it.
  }
}
