/**
 * Where log lines go: the lines of one turn of the event loop leave in one write. A write for each request is one of
 * its larger costs, and under load many requests end in the same turn; alone, a line leaves as soon as it did before.
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
    /** What is still waiting leaves now; to be called when the process ends. */
    flush,
  };
}
