import { TriangleAlert } from 'lucide-react';
import { licenseRecordTexts } from '../../text/es-license.ts';
import { formatDate } from '../../text/format.ts';

interface EndedAlreadyProps {
  id: string;
  /** The past date on which the licence would have ended; null: no warning. */
  date: string | null;
}

/**
 * Warns before a save that the licence would have ended already. The live region is always rendered, so that screen
 * readers announce the warning.
 */
export function EndedAlready({ id, date }: EndedAlreadyProps) {
  return (
    <p
      id={id}
      role="status"
      className={date === null ? 'sr-only' : 'mt-1.5 flex items-start gap-1.5 text-xs text-warning-text'}
    >
      {date !== null && (
        <>
          <TriangleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
          <span>{licenseRecordTexts.endedAlready(formatDate(date))}</span>
        </>
      )}
    </p>
  );
}
