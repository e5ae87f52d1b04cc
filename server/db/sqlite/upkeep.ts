/** Work that writes postpone. The list of pending work is stored, so a crash loses none of it. */
export type Upkeep = {
  /**
   * One short step of the work, within a transaction.
   * @param run runs a statement and returns how many rows it changed
   * @returns whether more work is left
   */
  step: (run: (sql: string) => number) => boolean;
  /** Called with the error of a failed step, which is retried later. */
  onError: (error: unknown) => void;
};

/** Upkeep starts after this many written rows, or with fewer after {@link WAIT_MS}. */
const ROWS_MAX = 256;
const WAIT_MS = 250;
const RETRY_MS = 30_000;

/** Schedules upkeep: right after a commit if many rows have accumulated, else after a short delay. */
export class UpkeepPlan {
  readonly #run: () => boolean | 'busy';
  readonly #onError: (error: unknown) => void;
  #rowsOwed = 0;
  #timer: NodeJS.Timeout | null = null;
  #restsUntil = 0;

  /**
   * @param run does one step in a separate transaction; returns whether more is left, or 'busy' while a transaction
   * is open
   */
  constructor(run: () => boolean | 'busy', onError: (error: unknown) => void) {
    this.#run = run;
    this.#onError = onError;
  }

  wrote(rows: number): void {
    this.#rowsOwed += rows;
  }

  /** Call it after a commit and before the next transaction begins. */
  committed(): void {
    if (this.#rowsOwed >= ROWS_MAX) this.#keepUp();
    else if (this.#rowsOwed > 0) this.#wait(WAIT_MS);
  }

  /** Finishes all pending upkeep before the file is closed. */
  finish(): void {
    while (this.#rowsOwed > 0 && this.#step());
    this.#stopWaiting();
  }

  #keepUp(): void {
    if (Date.now() < this.#restsUntil) return;
    this.#stopWaiting();
    // Other transactions run between two steps.
    if (this.#step() && this.#rowsOwed > 0) this.#wait(0);
  }

  /** @returns false if the step was not possible now; it is then tried again later */
  #step(): boolean {
    try {
      const outcome = this.#run();
      if (outcome === 'busy') {
        this.#wait(WAIT_MS);
        return false;
      }
      this.#rowsOwed = outcome ? ROWS_MAX : 0;
      return true;
    } catch (error) {
      this.#restsUntil = Date.now() + RETRY_MS;
      this.#wait(RETRY_MS);
      this.#onError(error);
      return false;
    }
  }

  #wait(milliseconds: number): void {
    this.#timer ??= setTimeout(() => this.#keepUp(), milliseconds).unref();
  }

  #stopWaiting(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
