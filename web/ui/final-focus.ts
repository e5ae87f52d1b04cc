import type { RefObject } from 'react';

/** The element that gets the focus when a dialog closes, or a function that returns it at that time. */
export type FinalFocus = RefObject<HTMLElement | null> | (() => HTMLElement | null | undefined);

/** @returns the current element; null or undefined means the opener */
export const focusOf = (target: FinalFocus | undefined) =>
  typeof target === 'function' ? target() : target?.current;

/**
 * The focus after a dialog's exit animation. The page can be used during the animation: a field or menu that has the
 * focus by then keeps it.
 * @param popup the dialog
 * @returns the value for Base UI; false leaves the focus unchanged
 */
export function focusAfter(popup: RefObject<HTMLElement | null>, target: FinalFocus | undefined) {
  return target && (() => (isTakenElsewhere(popup.current) ? false : (focusOf(target) ?? true)));
}

function isTakenElsewhere(popup: HTMLElement | null): boolean {
  const active = document.activeElement;
  if (active === null || active === document.body || popup?.contains(active)) return false;
  // A nested dialog that closes together with this one may still have the focus; that does not count.
  return active.closest('[data-closed]') === null;
}
