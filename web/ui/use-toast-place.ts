import { type RefObject, useLayoutEffect, useRef } from 'react';
import { type Box, covers, freePlace } from './toast-place.ts';

/** The distance to the edges of the window. */
const MARGIN = 12;
/** A save closes its dialog just after showing its toast, so the toast is placed after the next screen is rendered. */
const FIRST_MS = 80;
/** Checked again at this interval, because a screen that is still loading may render buttons under the toast. */
const AGAIN_MS = 250;

/** Elements that a person presses, and layers that were just opened. */
const PRESSED = 'a[href], button, input, select, textarea, [role=tab], [role=option]';
const OPENED = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
/** The top bar, which all screens have. It contains 'Cerrar Sesión'. */
const TOP_BAR = '[data-top-bar]';
const MODAL = '[data-locks-scroll]:not([data-ending-style])';
/** The space that dialogs leave above themselves (dialog-look.ts). */
const STRIP = '--toast-strip';

/**
 * Positions the toasts so that they cover no button, menu or dialog. They move only when they would cover something,
 * not when the page scrolls. While they have the pointer or the focus, they move only to leave the top bar. A dialog
 * that fills the window leaves space above itself until it closes.
 * @param hostRef the element of all toasts
 * @param count the number of toasts
 */
export function useToastPlace(hostRef: RefObject<HTMLElement | null>, count: number): void {
  const place = useRef<Box | null>(null);
  const scrolledTo = useRef(0);
  const isShown = count > 0;
  const check = useRef(() => {});
  check.current = () => {
    const host = hostRef.current;
    if (host === null) return;
    const isModal = document.querySelector(MODAL) !== null;
    if (!isModal) document.documentElement.style.removeProperty(STRIP);
    if (host.offsetHeight === 0 || mayStay(host, place.current, isModal)) return;
    place.current = findPlace(host, isModal);
    scrolledTo.current = window.scrollY;
    const { left, top } = place.current;
    Object.assign(host.style, { left: `${left}px`, top: `${top}px`, right: 'auto' });
  };

  useLayoutEffect(() => {
    const host = hostRef.current;
    if (!isShown || host === null) return;
    const first = setTimeout(() => check.current(), FIRST_MS);
    const again = setInterval(() => {
      if (window.scrollY === scrolledTo.current) check.current();
    }, AGAIN_MS);
    // Dialogs and menus are children of <body>, so the toasts move before they are painted.
    const opened = new MutationObserver(() => {
      if (place.current !== null) check.current();
    });
    opened.observe(document.body, { childList: true });
    const resized = () => {
      place.current = null;
      check.current();
    };
    window.addEventListener('resize', resized);
    return () => {
      clearTimeout(first);
      clearInterval(again);
      opened.disconnect();
      window.removeEventListener('resize', resized);
      place.current = null;
      Object.assign(host.style, { left: '', top: '', right: '' });
    };
  }, [isShown, hostRef]);

  // Another toast makes the stack higher.
  useLayoutEffect(() => {
    if (count > 0 && place.current !== null) check.current();
  }, [count]);
}

/** The window without its margin. */
const insideOfWindow = (): Box => ({
  left: MARGIN,
  top: MARGIN,
  right: document.documentElement.clientWidth - MARGIN,
  bottom: window.innerHeight - MARGIN,
});

/**
 * The elements that must not be covered. While a modal dialog is open, everything outside it cannot be used and may be
 * covered.
 */
const obstaclesOf = (host: HTMLElement, isModal: boolean) =>
  boxesOf(isModal ? OPENED : `${PRESSED}, ${OPENED}`, host);

/** True if the toasts can stay at their position, or must not move. */
function mayStay(host: HTMLElement, place: Box | null, isModal: boolean): boolean {
  if (place === null) return false;
  const right = place.left + host.offsetWidth;
  const stands = { ...place, right, bottom: place.top + host.offsetHeight };
  const isFree = right <= insideOfWindow().right && !covers(stands, obstaclesOf(host, isModal));
  if (isFree) return true;
  // Toasts that were placed before this screen had its top bar must leave it even under the pointer.
  const isOverTopBar = !isModal && covers(stands, boxesOf(TOP_BAR, host));
  return !isOverTopBar && host.matches(':hover, :focus-within');
}

/** The free position, else the corner. If a modal dialog leaves no free position, it must leave space above itself. */
function findPlace(host: HTMLElement, isModal: boolean): Box {
  const within = insideOfWindow();
  const size = { width: host.offsetWidth, height: host.offsetHeight };
  let free = freePlace(size, within, obstaclesOf(host, isModal));
  if (free === null && isModal) document.documentElement.style.setProperty(STRIP, `${size.height}px`);
  // Without a free position, the toasts may cover everything except the top bar and an open menu; if that is still not
  // possible, everything except the menu. A toast that appears under a resting pointer would stay there, so the corner
  // is the last choice.
  else {
    free ??= freePlace(size, within, boxesOf(`${TOP_BAR}, ${OPENED}`, host));
    free ??= freePlace(size, within, boxesOf(OPENED, host));
  }
  const left = within.right - size.width;
  const top = MARGIN / 2;
  return free ?? { left, top, right: within.right, bottom: top + size.height };
}

/** The rectangles of visible, permanent elements outside the toasts. */
function boxesOf(selector: string, host: HTMLElement): Box[] {
  return [...document.querySelectorAll(selector)].flatMap((element) => {
    if (host.contains(element) || element.hasAttribute('data-ending-style')) return [];
    const box = element.getBoundingClientRect();
    const isSeen = box.width > 1 && box.height > 1 && box.bottom > 0 && box.top < window.innerHeight;
    return isSeen ? [box] : [];
  });
}
