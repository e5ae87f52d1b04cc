import { type RefObject, useLayoutEffect } from 'react';

/** The distance to the edges of the window, in pixels; `top-3 right-3` of the host. */
const MARGIN = 12;
/** The distance to the header of a dialog. */
const GAP = 8;
/** The × of every dialog (dialog.tsx, dialog-frame.tsx). */
const CLOSE_BUTTONS = '[data-dialog-close]';

/**
 * Keeps the toasts in the upper right corner (SEED-2.3-05). They move nothing, and cover what is there, except the × of
 * a dialog: above a dialog whose × would be under them, they begin below its header (DESK-09, decision 146).
 * @param hostRef the element of all toasts
 * @param count the number of toasts
 */
export function useToastPlace(hostRef: RefObject<HTMLElement | null>, count: number): void {
  useLayoutEffect(() => {
    const host = hostRef.current;
    if (count === 0 || host === null) return;
    const place = () => {
      host.style.top = `${topOf(host)}px`;
    };
    let frame = 0;
    // Before the next paint, and once for all changes until then.
    const placeSoon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(place);
    };
    place();
    // A dialog is added in two steps: its element in <body>, then its content.
    const changed = new MutationObserver(placeSoon);
    changed.observe(document.body, { childList: true, subtree: true });
    window.addEventListener('resize', placeSoon);
    return () => {
      cancelAnimationFrame(frame);
      changed.disconnect();
      window.removeEventListener('resize', placeSoon);
    };
  }, [count, hostRef]);
}

/** Where the toasts begin. Offsets, unlike rectangles, are the same while a dialog's opening is animated. */
function topOf(host: HTMLElement): number {
  // The last dialog is above the others.
  const close = [...document.querySelectorAll<HTMLElement>(CLOSE_BUTTONS)].at(-1);
  const dialog = close?.parentElement;
  if (!close || !dialog || dialog.hasAttribute('data-ending-style')) return MARGIN;
  const right = dialog.offsetLeft + close.offsetLeft + close.offsetWidth;
  const isBeside = right <= document.documentElement.clientWidth - MARGIN - host.offsetWidth;
  const isBelow = dialog.offsetTop + close.offsetTop >= MARGIN + host.offsetHeight;
  if (isBeside || isBelow) return MARGIN;
  return dialog.offsetTop + (dialog.querySelector('header')?.offsetHeight ?? 0) + GAP;
}
