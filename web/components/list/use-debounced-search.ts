import { useEffect, useRef, useState } from 'react';

/** How long typing must rest before a search is asked for (D058). */
const SEARCH_DELAY_MS = 300;

/**
 * The text of a search box beside the search that is in force (in the address): typing shows at once and takes force
 * after 300 ms; when the address changes by other means (Back, a link) the box follows it.
 *
 * However often typing rests, what is typed in one go is one step: the first search is a new step in the history, and
 * those that follow replace it as long as the box keeps the focus.
 *
 * @param value the search in force, '' for none
 * @param onSearch puts a new one in force; called once per rest, never with what is already in force. With `replace` it
 * takes the place of the step before.
 */
export function useDebouncedSearch(
  value: string,
  onSearch: (text: string, step: { replace: boolean }) => void,
) {
  const [text, setText] = useState(value);
  const inForce = useRef(value);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  /** The box that the last step was typed into, while it has kept the focus. */
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
