import { useLayoutEffect, useRef } from 'react';
import { Banner } from '../ui/banner.tsx';

/** The message after an action. It gets the focus, because the pressed button may have disappeared. */
export function Said({ text }: { text: string | null }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (text !== null) place.current?.focus();
  }, [text]);
  return (
    <div ref={place} role="status" tabIndex={-1} className="empty:hidden">
      {text !== null && <Banner tone="success">{text}</Banner>}
    </div>
  );
}
