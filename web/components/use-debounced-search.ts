import { useEffect, useRef, useState } from 'react';

/** How long typing must rest before a search is asked for (D058). */
const SEARCH_DELAY_MS = 300;

/**
 * The text of a search box beside the search that is in force (in the address): typing shows at once and takes force
 * after 300 ms; when the address changes by other means (Back, a link) the box follows it.
 *
 * @param value the search in force, '' for none
 * @param onSearch puts a new one in force; called once per rest, never with what is already in force
 */
export function useDebouncedSearch(value: string, onSearch: (text: string) => void) {
  const [text, setText] = useState(value);
  const inForce = useRef(value);
  const latest = useRef(onSearch);
  latest.current = onSearch;

  useEffect(() => {
    if (value === inForce.current) return;
    inForce.current = value;
    setText(value);
  }, [value]);

  useEffect(() => {
    const wanted = text.trim();
    if (wanted === inForce.current) return;
    const timer = setTimeout(() => {
      inForce.current = wanted;
      latest.current(wanted);
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);

  return { text, setText };
}
