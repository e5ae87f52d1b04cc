import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { formatDateTime } from '../../text/format.ts';

interface PrintedNoteProps {
  /** What the sheet shows: '12 clientes', 'Estado: Activo'. What is empty is left out. */
  parts: readonly (string | false | undefined)[];
}

/** A line on paper alone: what the list was narrowed to, and when it was printed. A colleague needs both. */
export function PrintedNote({ parts }: PrintedNoteProps) {
  const [printedAt, setPrintedAt] = useState(() => new Date());
  useEffect(() => {
    // The browser takes its picture as soon as this returns.
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
