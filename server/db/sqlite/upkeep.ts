/** Work that writes leave behind and that may wait a moment: it is stored that it is owed, so that a crash loses none. */
export type Upkeep = {
  /**
   * One short step of it, within a transaction.
   * @param run runs a statement and tells how many rows it changed
   * @returns whether more is left
   */
  step: (run: (sql: string) => number) => boolean;
  /** Told of a step that failed; it is tried again later. */
  onError: (error: unknown) => void;
};

/** Rows that may be written before upkeep is done, and how long it waits for so many to come. */
const ROWS_MAX = 256;
const WAIT_MS = 250;
const RETRY_MS = 30_000;

/** When upkeep is done: after a commit once many rows have come together, else after a moment of few. */
export class UpkeepPlan {
  readonly #run: () => boolean | 'busy';
  readonly #onError: (error: unknown) => void;
  #rowsOwed = 0;
  #timer: NodeJS.Timeout | null = null;
  #restsUntil = 0;

  /** @param run does one step in a transaction of its own; tells whether more is left, or that others write just now */
  constructor(run: () => boolean | 'busy', onError: (error: unknown) => void) {
    this.#run = run;
    this.#onError = onError;
  }

  wrote(rows: number): void {
    this.#rowsOwed += rows;
  }

  /** To be called when a commit is done and before the next transaction begins. */
  committed(): void {
    if (this.#rowsOwed >= ROWS_MAX) this.#keepUp();
    else if (this.#rowsOwed > 0) this.#wait(WAIT_MS);
  }

  /** Does all that is owed, before the file is closed. */
  finish(): void {
    while (this.#rowsOwed > 0 && this.#step());
    this.#stopWaiting();
  }

  #keepUp(): void {
    if (Date.now() < this.#restsUntil) return;
    this.#stopWaiting();
    // Others have their turn between two steps.
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
