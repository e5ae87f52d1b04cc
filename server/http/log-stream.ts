/**
 * A log stream that writes the lines of one event loop turn together. A write per request is one of its larger costs,
 * and under load many requests end in the same turn; a single line is written at the end of its turn.
 */
export type LogStream = { write: (line: string) => void };

/** @param out takes the text at once, as standard output does for files, terminals and pipes */
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
    /** Writes the pending lines; call it when the process ends. */
    flush,
  };
}
