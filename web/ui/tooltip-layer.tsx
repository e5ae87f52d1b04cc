import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

const DELAY_MS = 500;
/** Moving on to the next icon within this time shows its words at once. */
const WARM_MS = 300;
const GAP = 6;
const EDGE = 8;

interface Shown {
  target: HTMLElement;
  text: string;
  side: string;
}

/** Shows the words of the element under the mouse, or of the one that the keyboard has reached. Once per console. */
export function TooltipLayer() {
  const shown = useShown();
  return shown === null ? null : createPortal(<Bubble {...shown} />, document.body);
}

function Bubble({ target, text, side }: Shown) {
  const ref = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ left: 0, top: 0 });
  useLayoutEffect(() => {
    if (ref.current) setPlace(placeBeside(target.getBoundingClientRect(), ref.current, side));
  }, [target, side]);
  return (
    <div
      ref={ref}
      aria-hidden
      data-print="hidden"
      style={place}
      className="pointer-events-none fixed z-60 w-max max-w-64 rounded-md bg-text px-2 py-1 text-xs font-medium text-page shadow-float"
    >
      {text}
    </div>
  );
}

/** Beside the element, on its side, and never beyond the edge of the window; no room above means below. */
function placeBeside(target: DOMRect, bubble: HTMLElement, side: string): { left: number; top: number } {
  const { offsetWidth: width, offsetHeight: height } = bubble;
  const middle = {
    left: target.left + (target.width - width) / 2,
    top: target.top + (target.height - height) / 2,
  };
  const above = target.top - height - GAP;
  const below = target.bottom + GAP;
  const place =
    side === 'right'
      ? { left: target.right + GAP, top: middle.top }
      : side === 'left'
        ? { left: target.left - width - GAP, top: middle.top }
        : { left: middle.left, top: side === 'bottom' || above < EDGE ? below : above };
  const inside = (value: number, size: number, room: number) =>
    Math.max(EDGE, Math.min(value, room - size - EDGE));
  return {
    left: inside(place.left, width, document.documentElement.clientWidth),
    top: inside(place.top, height, window.innerHeight),
  };
}

/** A button whose panel is open explains itself, and its words would lie upon the panel. */
const isOpenPopup = (target: HTMLElement) =>
  target.hasAttribute('aria-haspopup') && target.getAttribute('aria-expanded') === 'true';

/** The marked element that is pointed at or focused, after a rest of half a second; null for none. */
function useShown(): Shown | null {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hiddenAt = 0;
    let current: HTMLElement | null = null;
    let visible = false;

    const hide = () => {
      clearTimeout(timer);
      if (visible) hiddenAt = performance.now();
      current = null;
      visible = false;
      setShown(null);
    };
    const wait = (target: HTMLElement, delay: number) => {
      if (target === current) return;
      hide();
      current = target;
      timer = setTimeout(() => {
        // The words are read when they are shown: a name may have changed meanwhile.
        const text = target.dataset.tooltip;
        if (text === undefined || !target.isConnected || isOpenPopup(target)) return;
        visible = true;
        setShown({ target, text, side: target.dataset.tooltipSide ?? 'top' });
      }, delay);
    };
    const markedAt = (event: Event) =>
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tooltip]') : null;

    const onPointerOver = (event: PointerEvent) => {
      if (event.pointerType !== 'mouse') return;
      const target = markedAt(event);
      if (target === null) hide();
      else wait(target, performance.now() - hiddenAt < WARM_MS ? 0 : DELAY_MS);
    };
    const onFocusIn = (event: FocusEvent) => {
      const target = markedAt(event);
      if (target?.matches(':focus-visible')) wait(target, 0);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') hide();
    };
    const signal = new AbortController();
    const options = { signal: signal.signal, capture: true, passive: true };
    document.addEventListener('pointerover', onPointerOver, options);
    document.addEventListener('focusin', onFocusIn, options);
    document.addEventListener('focusout', hide, options);
    document.addEventListener('pointerdown', hide, options);
    document.addEventListener('scroll', hide, options);
    document.addEventListener('keydown', onKeyDown, options);
    document.documentElement.addEventListener('pointerleave', hide, { signal: signal.signal });
    return () => {
      clearTimeout(timer);
      signal.abort();
    };
  }, []);
  return shown;
}
