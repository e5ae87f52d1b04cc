import { useEffect, useRef, useState } from 'react';
import { cx } from '../../ui/cx.ts';

/**
 * A page of the server on which no script can run and a mail may use its own styles (server/http/security-headers.ts).
 */
const FRAME_PATH = '/mail-frame.html';

/** The schemes of links in a mail that can be opened. */
const OPENABLE = /^(https?|mailto|tel):/i;

const LEAST_HEIGHT = 120;

interface MailFrameProps {
  html: string;
  /** The accessible name of the frame. */
  title: string;
  /** The width in pixels; a wider mail is scaled down. `full` uses the available width. */
  width: number | 'full';
}

/**
 * Shows a mail as a mail program would. It is rendered in a sandboxed frame, so its markup cannot run scripts or
 * access the console. The frame is as high as the mail.
 */
export function MailFrame({ html, title, width }: MailFrameProps) {
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const [loaded, setLoaded] = useState(false);
  const [height, setHeight] = useState(320);
  const [room, setRoom] = useState<number | null>(null);

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? null));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const page = frame.current?.contentDocument;
    if (!loaded || !page) return;
    page.documentElement.innerHTML = html;
    // The frame becomes as high as the mail; until then a scrollbar would flicker.
    page.documentElement.style.overflow = 'hidden';
    for (const link of page.querySelectorAll('a')) {
      if (OPENABLE.test(link.getAttribute('href') ?? '')) {
        link.target = '_blank';
        link.rel = 'noopener noreferrer';
      } else link.removeAttribute('href');
    }
  }, [loaded, html]);

  const wide = width === 'full' ? room : width;
  const scale = wide === null || room === null || wide <= room ? 1 : room / wide;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another body.
  useEffect(() => {
    const body = frame.current?.contentDocument?.body;
    if (!loaded || !body) return;
    const measure = () => {
      const below = Number.parseFloat(getComputedStyle(body).marginBottom) || 0;
      setHeight(Math.max(LEAST_HEIGHT, Math.ceil(body.getBoundingClientRect().bottom + below)));
    };
    measure();
    // The height changes when images load, and when another width changes the line breaks.
    const observer = new ResizeObserver(measure);
    observer.observe(body);
    return () => observer.disconnect();
  }, [loaded, html]);

  return (
    <div ref={box} className="min-w-0 overflow-hidden">
      <div className="mx-auto overflow-hidden" style={{ height: height * scale, width: (wide ?? 0) * scale }}>
        <iframe
          ref={frame}
          src={FRAME_PATH}
          title={title}
          // Without scripts and forms. `allow-same-origin` lets the console write the mail into the frame.
          sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
          onLoad={() => setLoaded(true)}
          style={{ width: wide ?? '100%', height, transform: `scale(${scale})` }}
          className={cx('block origin-top-left border-0', !loaded && 'invisible')}
        />
      </div>
    </div>
  );
}
