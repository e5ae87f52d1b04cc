import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** How often PostgreSQL is asked whether a connection that was given up has ended there. */
const ASK_MS = 2000;

/** What may be asked of PostgreSQL beside the pool: which of these processes still serve a connection. */
export type AskWhichLive = (pids: number[]) => Promise<number[]>;

/**
 * Counts connections that this process gave up and PostgreSQL still serves: a statement that waits for a standby which
 * stands still does not notice that its caller is gone. Each takes the place of one in the pool until it ends;
 * otherwise each call would open one more, up to all that the server has (OPS-04).
 */
export function countGivenUp(pool: pg.Pool, askWhichLive: AskWhichLive): (pid: number | null) => void {
  const places = pool.options.max;
  let live: number[] = [];
  let isAsking = false;

  function hold(pids: number[]): void {
    const freed = pids.length < live.length;
    live = pids;
    pool.options.max = Math.max(0, places - live.length);
    // The pool looks at those who wait when a connection comes back, not when there is more room.
    if (freed && pool.waitingCount > 0)
      void pool
        .connect()
        .then((client) => client.release())
        .catch(() => {});
  }

  async function askUntilEnded(): Promise<void> {
    isAsking = true;
    while (live.length > 0 && !pool.ending) {
      await sleep(ASK_MS, undefined, { ref: false });
      const asked = live;
      const found = await askWhichLive(asked).catch(() => asked);
      hold(live.filter((pid) => found.includes(pid) || !asked.includes(pid)));
    }
    isAsking = false;
  }

  return (pid) => {
    if (pid === null || live.includes(pid)) return;
    hold([...live, pid]);
    if (!isAsking) void askUntilEnded();
  };
}
