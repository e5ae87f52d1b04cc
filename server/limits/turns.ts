import { type AppError, rateLimited } from '../errors.ts';

type Waiter = { start: () => void; refuse: (error: unknown) => void };
type Line = { running: number; waiting: Set<Waiter> };

/** What a queue does with callers that would wait too long. */
type Patience = {
  /** The longest wait, in milliseconds; without it there is no limit. */
  waitMs?: number;
  /** The error after the longest wait, and when the queue is full. Default: 429. */
  busy?: () => AppError;
};

/** Limits concurrent work per key. Each key has a queue, in order of arrival. Keys do not delay each other. */
export class Turns {
  readonly #atOnce: number;
  readonly #waitingMax: number;
  readonly #waitMs: number | undefined;
  readonly #busy: () => AppError;
  readonly #lines = new Map<string, Line>();

  /**
   * @param atOnce how many of one key may run at once
   * @param waitingMax how many of one key may wait; more are refused
   */
  constructor(atOnce: number, waitingMax: number, { waitMs, busy = () => rateLimited(1) }: Patience = {}) {
    this.#atOnce = atOnce;
    this.#waitingMax = waitingMax;
    this.#waitMs = waitMs;
    this.#busy = busy;
  }

  /**
   * Runs work when it is first in its queue.
   * @param signal aborted when the caller has disconnected; the work then leaves the queue
   * @throws what the work throws; `busy` when the queue is full or the wait too long; rateLimited (429) when the
   * caller has disconnected; the error of {@link Turns.refuseWaiting}
   */
  async run<Result>(key: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    await this.#enter(key, signal);
    try {
      return await work();
    } finally {
      this.#leave(key);
    }
  }

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
    if (line.waiting.size >= this.#waitingMax) throw this.#busy();
    await this.#wait(line.waiting, signal);
  }

  #wait(waiting: Set<Waiter>, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const leave = () => {
        clearTimeout(timer);
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
      if (this.#waitMs !== undefined) timer = setTimeout(() => waiter.refuse(this.#busy()), this.#waitMs);
      waiting.add(waiter);
    });
  }

  #leave(key: string): void {
    const line = this.#lines.get(key)!;
    const [next] = line.waiting;
    if (next) {
      // The next work starts in place of this one, so the number of running ones stays the same.
      next.start();
      return;
    }
    line.running -= 1;
    if (line.running === 0) this.#lines.delete(key);
  }
}
