import { useEffect, useState } from 'react';
import { formatDateTime, toDate } from '../text/format.ts';
import { relativeTime, relativeTimeLasts } from '../text/relative-time.ts';

interface RelativeTimeProps {
  /** An instant, ISO 8601. */
  value: string | null | undefined;
  /** Shown where there is no date. */
  fallback?: string;
  className?: string;
}

/**
 * 'Hace 2 días', with the exact time as its title, and it moves on by itself (experience: time is honest).
 * The label is a text node of its own.
 */
export function RelativeTime({ value, fallback = '', className }: RelativeTimeProps) {
  const instant = toDate(value);
  const now = useNow(instant);
  if (instant === null) return fallback === '' ? null : <span className={className}>{fallback}</span>;
  return (
    <time dateTime={instant.toISOString()} title={formatDateTime(instant)} className={className}>
      {relativeTime(instant, now)}
    </time>
  );
}

/** The current time, renewed as often as the age of `instant` can change its words. */
function useNow(instant: Date | null): Date {
  const [now, setNow] = useState(() => new Date());
  const at = instant?.getTime() ?? null;
  useEffect(() => {
    if (at === null) return;
    // A date that arrived later than this component was made is measured against the present, not its birth.
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
