import { rateLimited } from '../errors.ts';

type Waiter = { start: () => void; refuse: (error: unknown) => void };
type Line = { running: number; waiting: Set<Waiter> };

/**
 * Limits the concurrent work per key. Further work waits in a queue of its key, in order. Keys do not delay each
 * other.
 */
export class Turns {
  readonly #atOnce: number;
  readonly #waitingMax: number;
  readonly #lines = new Map<string, Line>();

  /**
   * @param atOnce how many of one key may run
   * @param waitingMax how many of one key may wait; further ones are refused
   */
  constructor(atOnce: number, waitingMax: number) {
    this.#atOnce = atOnce;
    this.#waitingMax = waitingMax;
  }

  /**
   * Runs work when it is first in its queue.
   * @param signal aborted when the caller has disconnected, which removes it from the queue
   * @throws what the work throws; rateLimited (429) when the queue is full or the caller has gone; the error of
   * {@link Turns.refuseWaiting}
   */
  async run<Result>(key: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    await this.#enter(key, signal);
    try {
      return await work();
    } finally {
      this.#leave(key);
    }
  }

  /** Refuses all waiting work of a key. */
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
      // The next one takes the place, so the number of running ones stays the same.
      next.start();
      return;
    }
    line.running -= 1;
    if (line.running === 0) this.#lines.delete(key);
  }
}
