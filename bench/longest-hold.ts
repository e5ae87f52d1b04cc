import type { Running } from './processes.ts';

/** The Node options of a server whose longest hold is asked. */
export const WATCHED = ['--import', './bench/loop-watch.ts'];

export type Hold = { clockMs: number; cpuMs: number };

/** The longest block of a server's event loop since the last call; loop-watch.ts says how it is measured. */
export async function longestHold(server: Running): Promise<Hold> {
  const answer = new Promise<Hold>((resolve) => {
    server.child.once('message', (message: Hold) => resolve(message));
  });
  server.child.send('longest hold');
  return answer;
}
