import { type RefObject, useEffect, useState } from 'react';

/**
 * True if the element's content overflows. A region that scrolls must be focusable (WCAG 2.1.1). One that does not
 * scroll must not be focusable, because it would be a useless Tab stop.
 */
export function useOverflowing(ref: RefObject<HTMLElement | null>): boolean {
  const [overflowing, setOverflowing] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () =>
      setOverflowing(
        element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1,
      );
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, [ref]);
  return overflowing;
}
