import { rateLimited } from '../errors.ts';

type Waiter = { start: () => void; refuse: (error: unknown) => void };
type Line = { running: number; waiting: Set<Waiter> };

/**
 * Lets a few pieces of work of each key run at once; those that come meanwhile wait in a line of their key, in order. No
 * key waits for another.
 */
export class Turns {
  readonly #atOnce: number;
  readonly #waitingMax: number;
  readonly #lines = new Map<string, Line>();

  /**
   * @param atOnce how many of one key may run
   * @param waitingMax how many of one key may wait; those beyond are refused
   */
  constructor(atOnce: number, waitingMax: number) {
    this.#atOnce = atOnce;
    this.#waitingMax = waitingMax;
  }

  /**
   * Runs some work when its turn has come.
   * @param signal aborted when nobody waits for the answer any more: who still stands in the line leaves it
   * @throws what the work throws; rateLimited (429) when the line is too long or the caller has gone; what
   * {@link Turns.refuseWaiting} is told
   */
  async run<Result>(key: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    await this.#enter(key, signal);
    try {
      return await work();
    } finally {
      this.#leave(key);
    }
  }

  /** Sends everyone away who waits for a turn of this key. */
  refuseWaiting(key: string, error: unknown): void {
    for (const waiter of this.#lines.get(key)?.waiting ?? []) waiter.refuse(error);
  }

  async #enter(key: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw rateLimited(1);
    let line = this.#lines.get(key);
    if (!line) {
      line = { running: 0, waiting: new Set() };
      this.#lines.set(key, line);
    }
    if (line.running < this.#atOnce) {
      line.running += 1;
      return;
    }
    if (line.waiting.size >= this.#waitingMax) throw rateLimited(1);
    await this.#wait(line.waiting, signal);
  }

  #wait(waiting: Set<Waiter>, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(waiter);
        signal.removeEventListener('abort', onGone);
      };
      const waiter: Waiter = {
        start: () => {
          leave();
          resolve();
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      const onGone = () => waiter.refuse(rateLimited(1));
      signal.addEventListener('abort', onGone);
      waiting.add(waiter);
    });
  }

  #leave(key: string): void {
    const line = this.#lines.get(key)!;
    const [next] = line.waiting;
    if (next) {
      // The turn is handed on: as many run as before.
      next.start();
      return;
    }
    line.running -= 1;
    if (line.running === 0) this.#lines.delete(key);
  }
}
