import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** The interval at which PostgreSQL is asked whether an abandoned connection has ended there. */
const ASK_MS = 2000;

/** Asks PostgreSQL, outside of the pool, which of these server processes still exist. */
export type AskWhichLive = (pids: number[]) => Promise<number[]>;

/**
 * Counts connections that this process has abandoned but PostgreSQL still serves: a statement that waits for a
 * standby that does not respond does not notice that its caller has left. Each of them reduces the size of the pool
 * by one until it ends. Otherwise each call would open one more connection, up to the server's limit (OPS-04).
 */
export function countGivenUp(pool: pg.Pool, askWhichLive: AskWhichLive): (pid: number | null) => void {
  const places = pool.options.max;
  let live: number[] = [];
  let isAsking = false;

  function hold(pids: number[]): void {
    const freed = pids.length < live.length;
    live = pids;
    pool.options.max = Math.max(0, places - live.length);
    // The pool serves waiting callers when a connection is released, not when its size grows. So one is taken and
    // released.
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
