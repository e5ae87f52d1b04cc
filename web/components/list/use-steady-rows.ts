import { useEffect, useReducer, useRef } from 'react';

/** On a touch screen the click event follows shortly after the finger was lifted. */
const CLICK_AFTER_MS = 50;

/**
 * The rows to render. They do not change while a row is pressed. Otherwise an answer that arrives between press and
 * release would move another row under the pointer, and the click would be lost or select the wrong row.
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
