import type { DialectAdapter } from 'kysely';
import { isOutOfTime, readsInProcess } from './dialect.ts';
import type { Db } from './tables.ts';

/**
 * What arrives together is asked together. On PostgreSQL most of what a short statement costs is its way there and back,
 * in both processes, and it costs the same for one key as for sixty: programs that validate or beat at the same moment
 * share one statement (docs/decisions/019-questions-that-arrive-together.md). Nobody waits for company: who comes alone is
 * asked for at once, and a group is what has come while others were under way.
 */

/** Bounds what one statement carries. */
const GROUP_MAX = 200;

type Waiting<Key, Answer> = {
  key: Key;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
};

class Group<Key, Answer> {
  readonly #one: (key: Key) => Promise<Answer>;
  readonly #many: (keys: Key[]) => Promise<Answer[]>;
  readonly #underWayMax: number;
  readonly #waiting: Waiting<Key, Answer>[] = [];
  #underWay = 0;
  #scheduled = false;

  constructor(
    one: (key: Key) => Promise<Answer>,
    many: (keys: Key[]) => Promise<Answer[]>,
    underWayMax: number,
  ) {
    this.#one = one;
    this.#many = many;
    this.#underWayMax = underWayMax;
  }

  ask(key: Key): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.push({ key, resolve, reject });
    this.#schedule();
    return promise;
  }

  #schedule(): void {
    if (this.#scheduled || this.#underWay >= this.#underWayMax) return;
    this.#scheduled = true;
    // Requests that are already in their sockets are read before this runs.
    setImmediate(() => {
      this.#scheduled = false;
      void this.#run(this.#waiting.splice(0, GROUP_MAX));
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  async #run(group: Waiting<Key, Answer>[]): Promise<void> {
    this.#underWay += 1;
    try {
      const answers = await this.#many(group.map(({ key }) => key));
      for (const [index, { resolve }] of group.entries()) resolve(answers[index]!);
    } catch (error) {
      // Who waits behind a statement that got no answer has waited as long as a request may.
      if (isOutOfTime(error)) for (const { reject } of [...group, ...this.#waiting.splice(0)]) reject(error);
      else await this.#separately(group, error);
    } finally {
      this.#underWay -= 1;
      if (this.#waiting.length > 0) this.#schedule();
    }
  }

  /** One key that the database cannot take must not spoil the others' answers. */
  async #separately(group: Waiting<Key, Answer>[], error: unknown): Promise<void> {
    const [first] = group;
    if (first && group.length === 1) {
      first.reject(error);
      return;
    }
    await Promise.all(group.map(({ key, resolve, reject }) => this.#one(key).then(resolve, reject)));
  }
}

/**
 * @param one answers one key
 * @param many answers several keys in one statement, in their order; like `one`, it may be asked again after an error
 * @param underWayMax how many statements may be under way at once: more of them make smaller groups and more work, but a
 * statement that waits for a disk leaves time for another
 * @returns answers one key: on PostgreSQL together with others of the same moment; on SQLite, and within a transaction,
 * by itself
 */
export function together<Key, Answer>(
  one: (db: Db, key: Key) => Promise<Answer>,
  many: (db: Db, keys: Key[]) => Promise<Answer[]>,
  underWayMax: number,
): (db: Db, key: Key) => Promise<Answer> {
  const groups = new WeakMap<DialectAdapter, Group<Key, Answer>>();
  return (db, key) => {
    if (readsInProcess(db) || db.isTransaction) return one(db, key);
    const { adapter } = db.getExecutor();
    let group = groups.get(adapter);
    if (!group) {
      group = new Group(
        (key) => one(db, key),
        (keys) => many(db, keys),
        underWayMax,
      );
      groups.set(adapter, group);
    }
    return group.ask(key);
  };
}
