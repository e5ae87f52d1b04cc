import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { formatDateTime } from '../../text/format.ts';

interface PrintedNoteProps {
  /** The parts of the note: '12 clientes', 'Estado: Activo'. Empty ones are left out. */
  parts: readonly (string | false | undefined)[];
}

/** A line that is only printed: the filters of the list and the time of printing. */
export function PrintedNote({ parts }: PrintedNoteProps) {
  const [printedAt, setPrintedAt] = useState(() => new Date());
  useEffect(() => {
    // The browser prints immediately after this handler returns, so it renders synchronously.
    const onPrint = () => flushSync(() => setPrintedAt(new Date()));
    window.addEventListener('beforeprint', onPrint);
    return () => window.removeEventListener('beforeprint', onPrint);
  }, []);
  return (
    <p className="hidden text-xs text-muted print:block">
      {[...parts, `Impreso el ${formatDateTime(printedAt)}`].filter(Boolean).join(' · ')}
    </p>
  );
}
