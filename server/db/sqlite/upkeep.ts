/** Work that writes leave for later. The pending work is stored, so that a crash loses none. */
export type Upkeep = {
  /**
   * One short step of it, within a transaction.
   * @param run runs a statement and tells how many rows it changed
   * @returns whether more is left
   */
  step: (run: (sql: string) => number) => boolean;
  /** Called with the error of a failed step, which is retried later. */
  onError: (error: unknown) => void;
};

/** Upkeep starts after this many written rows, or after a moment with fewer. */
const ROWS_MAX = 256;
const WAIT_MS = 250;
const RETRY_MS = 30_000;

/** Schedules upkeep: after a commit once many rows have accumulated, else after a short delay. */
export class UpkeepPlan {
  readonly #run: () => boolean | 'busy';
  readonly #onError: (error: unknown) => void;
  #rowsOwed = 0;
  #timer: NodeJS.Timeout | null = null;
  #restsUntil = 0;

  /** @param run does one step in a separate transaction; tells whether more is left, or that others write just now */
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

  /** @returns false where it could not be done; then it is tried again after a while */
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
