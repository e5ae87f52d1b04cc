import { useEffect } from 'react';

/**
 * Calls `load` once, at the first pointer move, touch or key press. Used to prefetch code without delaying the first
 * screen.
 * @param load must be the same function in every render; it should not throw
 */
export function useFirstGesture(load: () => void): void {
  useEffect(() => {
    const gestures = ['pointermove', 'pointerdown', 'keydown'] as const;
    const controller = new AbortController();
    for (const gesture of gestures) {
      window.addEventListener(
        gesture,
        () => {
          controller.abort();
          load();
        },
        { passive: true, signal: controller.signal },
      );
    }
    return () => controller.abort();
  }, [load]);
}
