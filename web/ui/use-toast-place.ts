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
const MODAL = '[data-locks-scroll]:not([data-ending-style])';
/** The room that dialogs leave above themselves (dialog-look.ts). */
const STRIP = '--toast-strip';

/**
 * Keeps the toasts at a place where they cover no button, no menu and no dialog. They move only when they would cover
 * something, and never while they are hovered or focused, or because the page is scrolled. A dialog that fills the
 * window makes room above itself and keeps it until it closes.
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
    const root = document.documentElement;
    const isModal = document.querySelector(MODAL) !== null;
    if (!isModal) root.style.removeProperty(STRIP);
    const size = { width: host.offsetWidth, height: host.offsetHeight };
    if (size.height === 0) return;
    const within = {
      left: MARGIN,
      top: MARGIN,
      right: root.clientWidth - MARGIN,
      bottom: window.innerHeight - MARGIN,
    };
    // Under a modal dialog everything but it is out of reach.
    const obstacles = boxesOf(isModal ? OPENED : `${PRESSED}, ${OPENED}`, host);
    const stands = place.current && {
      ...place.current,
      right: place.current.left + size.width,
      bottom: place.current.top + size.height,
    };
    if (stands !== null && stands.right <= within.right && !covers(stands, obstacles)) return;
    if (stands !== null && host.matches(':hover, :focus-within')) return;
    let free = freePlace(size, within, obstacles);
    if (free === null && isModal) root.style.setProperty(STRIP, `${size.height}px`);
    // A small window with an open menu has no room for both: the menu stays free, what is behind it does not.
    else if (free === null) free = freePlace(size, within, boxesOf(OPENED, host));
    place.current = free ?? {
      left: within.right - size.width,
      top: MARGIN / 2,
      right: within.right,
      bottom: MARGIN / 2 + size.height,
    };
    scrolledTo.current = window.scrollY;
    Object.assign(host.style, {
      left: `${place.current.left}px`,
      top: `${place.current.top}px`,
      right: 'auto',
    });
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

/** The rectangles of what is seen and stays, outside of the toasts. */
function boxesOf(selector: string, host: HTMLElement): Box[] {
  return [...document.querySelectorAll(selector)].flatMap((element) => {
    if (host.contains(element) || element.hasAttribute('data-ending-style')) return [];
    const box = element.getBoundingClientRect();
    const isSeen = box.width > 1 && box.height > 1 && box.bottom > 0 && box.top < window.innerHeight;
    return isSeen ? [box] : [];
  });
}
