import { useEffect, useRef, useState } from 'react';

/** The pause in typing before a search starts (D058). */
const SEARCH_DELAY_MS = 300;

/**
 * The text of a search box whose search is in the URL. Typed text is shown at once and reaches the URL after 300 ms.
 * If the URL changes in another way (Back, a link), the box shows the new search.
 *
 * All searches typed while the box keeps the focus are one entry in the history: the first adds it, later ones replace
 * it.
 *
 * @param value the search in the URL, '' for none
 * @param onSearch writes a new search to the URL; called once after each pause, never with the current search. With
 * `replace` it replaces the current entry of the history.
 */
export function useDebouncedSearch(
  value: string,
  onSearch: (text: string, step: { replace: boolean }) => void,
) {
  const [text, setText] = useState(value);
  const inForce = useRef(value);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  /** The search box that added the last entry, as long as it keeps the focus. */
  const typedInto = useRef<Element | null>(null);

  useEffect(() => {
    if (value === inForce.current) return;
    inForce.current = value;
    typedInto.current = null;
    setText(value);
  }, [value]);

  useEffect(() => {
    const requested = text.trim();
    if (requested === inForce.current) return;
    const timer = setTimeout(() => {
      inForce.current = requested;
      const box = document.activeElement;
      const replace = box !== null && box === typedInto.current;
      if (!replace) {
        typedInto.current = box;
        const goIsOver = () => {
          typedInto.current = null;
        };
        box?.addEventListener('blur', goIsOver, { once: true });
      }
      latest.current(requested, { replace });
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);

  return { text, setText };
}
