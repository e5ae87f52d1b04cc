import { useEffect, useRef, useState } from 'react';

/** The pause in typing before a search starts (D058). */
const SEARCH_DELAY_MS = 300;

/**
 * The text of a search box whose search is in the URL: typing shows at once and reaches the URL after 300 ms; when the
 * URL changes by other means (Back, a link), the box follows it.
 *
 * All searches typed while the box keeps the focus are one step of the history: the first adds the step, the next ones
 * replace it.
 *
 * @param value the search in the URL, '' for none
 * @param onSearch writes a new search to the URL; called once per pause, never with the current search. With `replace`
 *   it replaces the current step of the history.
 */
export function useDebouncedSearch(
  value: string,
  onSearch: (text: string, step: { replace: boolean }) => void,
) {
  const [text, setText] = useState(value);
  const inForce = useRef(value);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  /** The box of the last step, while it keeps the focus. */
  const typedInto = useRef<Element | null>(null);

  useEffect(() => {
    if (value === inForce.current) return;
    inForce.current = value;
    typedInto.current = null;
    setText(value);
  }, [value]);

  useEffect(() => {
    const wanted = text.trim();
    if (wanted === inForce.current) return;
    const timer = setTimeout(() => {
      inForce.current = wanted;
      const box = document.activeElement;
      const replace = box !== null && box === typedInto.current;
      if (!replace) {
        typedInto.current = box;
        const goIsOver = () => {
          typedInto.current = null;
        };
        box?.addEventListener('blur', goIsOver, { once: true });
      }
      latest.current(wanted, { replace });
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);

  return { text, setText };
}
