import { useEffect, useReducer, useRef } from 'react';

/** On a touch screen the click comes a moment after the finger was lifted. */
const CLICK_AFTER_MS = 50;

/**
 * The rows to draw. While a row is pressed they stay as they are: an answer that arrives between the press and the
 * release would move the row away from under the pointer, and the tick would be lost or hit another row.
 */
export function useSteadyRows<Row>(rows: readonly Row[] | undefined): readonly Row[] | undefined {
  const drawn = useRef(rows);
  const isPressed = useRef(false);
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const press = ({ target }: PointerEvent) => {
      clearTimeout(timer);
      isPressed.current = target instanceof Element && target.closest('[data-row-key]') !== null;
    };
    const release = () => {
      if (!isPressed.current) return;
      timer = setTimeout(() => {
        isPressed.current = false;
        drawAgain();
      }, CLICK_AFTER_MS);
    };
    document.addEventListener('pointerdown', press, true);
    document.addEventListener('pointerup', release, true);
    document.addEventListener('pointercancel', release, true);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerdown', press, true);
      document.removeEventListener('pointerup', release, true);
      document.removeEventListener('pointercancel', release, true);
    };
  }, []);
  if (!isPressed.current || drawn.current === undefined) drawn.current = rows;
  return drawn.current;
}
