/** localStorage that may be blocked (private windows). Then nothing is stored, and no error is thrown. */

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text under a key; null removes it. */
export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The value is not stored; the caller still has it in memory until the page is closed.
  }
}
