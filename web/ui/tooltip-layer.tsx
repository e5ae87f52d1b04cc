import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

const DELAY_MS = 500;
/** If the pointer moves to the next icon within this time, its tooltip is shown at once. */
const WARM_MS = 300;
const GAP = 6;
const EDGE = 8;

interface Shown {
  target: HTMLElement;
  text: string;
  side: string;
}

/** Shows the tooltip of the element with the pointer or the focus. Render it once. */
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
      className="pointer-events-none fixed z-60 w-max max-w-64 rounded-md bg-tip px-2 py-1 text-xs font-medium text-on-tip shadow-float"
    >
      {text}
    </div>
  );
}

/** Places the tooltip beside the element and inside the window; below the element if there is no space above. */
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

/** No tooltip for a button whose panel is open: it would cover the panel. */
const isOpenPopup = (target: HTMLElement) =>
  target.hasAttribute('aria-haspopup') && target.getAttribute('aria-expanded') === 'true';

/** The element with a tooltip that has had the pointer or the focus for half a second; null if there is none. */
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
        // The text is read when the tooltip is shown, because the label may have changed.
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
