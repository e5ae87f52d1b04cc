import { useEffect } from 'react';

/**
 * Calls `load` once, when the person first moves, touches or presses something: what they may open next is then on its
 * way before they ask for it, and the first screen did not wait for it.
 * @param load must keep its identity; it should not throw
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
