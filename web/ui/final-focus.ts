import type { RefObject } from 'react';

/** Where the focus goes when a dialog closes: an element, or what finds it then. */
export type FinalFocus = RefObject<HTMLElement | null> | (() => HTMLElement | null | undefined);

/** @returns the element to which it leads now; null or undefined: the opener */
export const focusOf = (target: FinalFocus | undefined) =>
  typeof target === 'function' ? target() : target?.current;

/**
 * The focus after a dialog has faded out. The page can be used while it fades: a field or a menu that has the focus by
 * then keeps it.
 * @param popup the dialog
 * @returns what Base UI asks for: false leaves the focus where it is
 */
export function focusAfter(popup: RefObject<HTMLElement | null>, target: FinalFocus | undefined) {
  return target && (() => (isTakenElsewhere(popup.current) ? false : (focusOf(target) ?? true)));
}

function isTakenElsewhere(popup: HTMLElement | null): boolean {
  const active = document.activeElement;
  if (active === null || active === document.body || popup?.contains(active)) return false;
  // A dialog over this one that closes with it still has the focus.
  return active.closest('[data-closed]') === null;
}
