import { type RefObject, useLayoutEffect, useRef } from 'react';
import { type Box, covers, freePlace } from './toast-place.ts';

/** The distance to the window's edges. */
const MARGIN = 12;
/** A save closes its dialog just after its toast: the toast is placed when the next screen stands. */
const FIRST_MS = 80;
/** A screen that loads puts its buttons under the toast. */
const AGAIN_MS = 250;

/** What a person presses, and what has just been opened. */
const PRESSED = 'a[href], button, input, select, textarea, [role=tab], [role=option]';
const OPENED = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
/** What every screen has, with 'Cerrar Sesión'. */
const TOP_BAR = '[data-top-bar]';
const MODAL = '[data-locks-scroll]:not([data-ending-style])';
/** The room that dialogs leave above themselves (dialog-look.ts). */
const STRIP = '--toast-strip';

/**
 * Keeps the toasts at a place where they cover no button, no menu and no dialog. They move only when they would cover
 * something, never because the page is scrolled, and while they are hovered or focused only off the top bar. A dialog
 * that fills the window makes room above itself and keeps it until it closes.
 * @param hostRef the element of all toasts
 * @param count how many there are
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
    // Dialogs and menus are children of <body>: a toast gives way before they are drawn.
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

  // A further toast makes the stack higher.
  useLayoutEffect(() => {
    if (count > 0 && place.current !== null) check.current();
  }, [count]);
}

/** The window, without its margin. */
const insideOfWindow = (): Box => ({
  left: MARGIN,
  top: MARGIN,
  right: document.documentElement.clientWidth - MARGIN,
  bottom: window.innerHeight - MARGIN,
});

/** What must not be covered. Under a modal dialog everything but it is out of reach. */
const obstaclesOf = (host: HTMLElement, isModal: boolean) =>
  boxesOf(isModal ? OPENED : `${PRESSED}, ${OPENED}`, host);

/** Whether the toasts need not move from where they stand, or may not. */
function mayStay(host: HTMLElement, place: Box | null, isModal: boolean): boolean {
  if (place === null) return false;
  const right = place.left + host.offsetWidth;
  const stands = { ...place, right, bottom: place.top + host.offsetHeight };
  const isFree = right <= insideOfWindow().right && !covers(stands, obstaclesOf(host, isModal));
  if (isFree) return true;
  // One that was placed before this screen had its top bar would stay over it, under a pointer at rest.
  const isOverTopBar = !isModal && covers(stands, boxesOf(TOP_BAR, host));
  return !isOverTopBar && host.matches(':hover, :focus-within');
}

/** The free place, else the corner; a modal dialog that leaves none is asked to make room above itself. */
function findPlace(host: HTMLElement, isModal: boolean): Box {
  const within = insideOfWindow();
  const size = { width: host.offsetWidth, height: host.offsetHeight };
  let free = freePlace(size, within, obstaclesOf(host, isModal));
  if (free === null && isModal) document.documentElement.style.setProperty(STRIP, `${size.height}px`);
  // A full screen has no free place for a high stack, and a small window with an open menu none for both: the menu and
  // the top bar stay free, what is behind or below them does not. A toast that came under a pointer at rest would stay.
  else {
    free ??= freePlace(size, within, boxesOf(`${TOP_BAR}, ${OPENED}`, host));
    free ??= freePlace(size, within, boxesOf(OPENED, host));
  }
  const left = within.right - size.width;
  const top = MARGIN / 2;
  return free ?? { left, top, right: within.right, bottom: top + size.height };
}

/** The rectangles of what is seen and stays, outside of the toasts. */
function boxesOf(selector: string, host: HTMLElement): Box[] {
  return [...document.querySelectorAll(selector)].flatMap((element) => {
    if (host.contains(element) || element.hasAttribute('data-ending-style')) return [];
    const box = element.getBoundingClientRect();
    const isSeen = box.width > 1 && box.height > 1 && box.bottom > 0 && box.top < window.innerHeight;
    return isSeen ? [box] : [];
  });
}
