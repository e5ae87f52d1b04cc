import { useEffect, useState } from 'react';
import { formatDateTime, toDate } from '../../text/format.ts';
import { relativeTime, relativeTimeLasts } from '../../text/relative-time.ts';
import { ownTimeTitle } from './date-time.tsx';

interface RelativeTimeProps {
  /** An instant in ISO 8601. */
  value: string | null | undefined;
  /** Shown when there is no date. */
  fallback?: string;
  /** Formats the distance; default: 'Hace 2 días'. */
  words?: (instant: Date, now: Date) => string;
  className?: string;
}

/**
 * 'Hace 2 días', with the exact time as its title. It stays up to date while shown. The label is a separate text node.
 */
export function RelativeTime({ value, fallback = '', words = relativeTime, className }: RelativeTimeProps) {
  const instant = toDate(value);
  const now = useNow(instant);
  if (instant === null) return fallback === '' ? null : <span className={className}>{fallback}</span>;
  return (
    <time
      dateTime={instant.toISOString()}
      title={[formatDateTime(instant), ownTimeTitle(instant)].filter(Boolean).join('\n')}
      className={className}
    >
      {words(instant, now)}
    </time>
  );
}

/** The current time, updated whenever the label of `instant` can change. */
function useNow(instant: Date | null): Date {
  const [now, setNow] = useState(() => new Date());
  const at = instant?.getTime() ?? null;
  useEffect(() => {
    if (at === null) return;
    // If `instant` changes after the mount, it must be compared with the current time.
    setNow(new Date());
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(
        () => {
          setNow(new Date());
          wait();
        },
        relativeTimeLasts(new Date(at), new Date()),
      );
    };
    wait();
    return () => clearTimeout(timer);
  }, [at]);
  return now;
}
