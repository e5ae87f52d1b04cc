import { formatDateTime, formatOwnDateTime } from '../../text/format.ts';

interface DateTimeProps {
  /** An instant in ISO 8601. */
  value: string;
  className?: string;
}

/** '21/11/2025, 10:30' in the business time zone, with the reader's own time as its title where it differs (INPUT-17). */
export const DateTime = ({ value, className }: DateTimeProps) => (
  <time dateTime={value} title={ownTimeTitle(value)} className={className}>
    {formatDateTime(value)}
  </time>
);

/** 'En tu hora: 21/11/2025, 11:30'; undefined where that is the shown time. */
export function ownTimeTitle(value: string | Date): string | undefined {
  const own = formatOwnDateTime(value);
  return own && `En tu hora: ${own}`;
}
