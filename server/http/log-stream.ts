/**
 * A log stream that writes all lines of one event loop turn together. One write per request would be a large part of
 * the request's cost, and under load many requests end in the same turn. A single line is written at the end of its
 * turn.
 */
export type LogStream = { write: (line: string) => void };

/** @param out writes the text synchronously, as standard output does for files, terminals and pipes */
export function logByTurn(out: LogStream): LogStream & { flush: () => void } {
  let waiting = '';
  const flush = () => {
    const text = waiting;
    waiting = '';
    if (text !== '') out.write(text);
  };
  return {
    write: (line) => {
      if (waiting === '') setImmediate(flush);
      waiting += line;
    },
    /** Writes the pending lines at once; call it when the process ends. */
    flush,
  };
}
