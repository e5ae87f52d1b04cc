import { type AliasedRawBuilder, type CompiledQuery, type DialectAdapter, sql } from 'kysely';
import { isOutOfTime, readsInProcess } from './dialect.ts';
import { prepared } from './prepared.ts';
import type { Db } from './tables.ts';

/**
 * Queries that arrive together are sent together. On PostgreSQL most of the cost of a short statement is the round
 * trip, and it is the same for one key as for sixty, so concurrent validations or heartbeats share one statement
 * (docs/decisions/019-questions-that-arrive-together.md). A query that arrives alone is sent at once; a batch has the
 * queries that arrived while others were running.
 */

/** The most keys in one statement. */
const GROUP_MAX = 200;

/** The PostgreSQL types of key columns, and their types here. */
type Types = { text: string; bigint: number; timestamptz: string };
type Columns = Record<string, keyof Types>;
type KeyOf<Of extends Columns> = { [Name in keyof Of]: Types[Of[Name]] };
type ListsOf<Of extends Columns> = { [Name in keyof Of]: Types[Of[Name]][] };

/** The keys as a table to join with; `position` counts from 1. */
type Asked<Of extends Columns> = AliasedRawBuilder<KeyOf<Of> & { position: number }, 'asked'>;
type Found = { position?: number };

/** PostgreSQL: several keys, one list per column. */
function askedLists<Of extends Columns>(columns: Of, lists: ListsOf<Of>): Asked<Of> {
  const names = Object.keys(columns);
  const taken = names.map((name) => sql`${lists[name]}::${sql.raw(`${columns[name]}[]`)}`);
  const known = [...names, 'position'].map((name) => sql.id(name));
  return sql<KeyOf<Of> & { position: number }>`unnest(${sql.join(taken)}) with ordinality`.as<'asked'>(
    sql`asked (${sql.join(known)})`,
  );
}

/** SQLite: one key. */
function askedValues<Of extends Columns>(columns: Of, key: KeyOf<Of>): Asked<Of> {
  const values = Object.keys(columns).map((name) => sql`${key[name]} as ${sql.id(name)}`);
  return sql<KeyOf<Of> & { position: number }>`(select ${sql.join(values)}, 1 as position)`.as('asked');
}

type Waiting<Key, Answer> = {
  key: Key;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
};

class Group<Key, Answer> {
  readonly #many: (keys: Key[]) => Promise<Answer[]>;
  readonly #underWayMax: number;
  readonly #waiting: Waiting<Key, Answer>[] = [];
  #underWay = 0;
  #scheduled = false;

  constructor(many: (keys: Key[]) => Promise<Answer[]>, underWayMax: number) {
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
    // Requests that are already in the sockets are read before this runs.
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
      // The queries behind a statement that timed out have used up their time too.
      if (isOutOfTime(error)) for (const { reject } of [...group, ...this.#waiting.splice(0)]) reject(error);
      else await this.#separately(group, error);
    } finally {
      this.#underWay -= 1;
      if (this.#waiting.length > 0) this.#schedule();
    }
  }

  /** Runs each key by itself, so that an invalid one fails alone. */
  async #separately(group: Waiting<Key, Answer>[], error: unknown): Promise<void> {
    const [first] = group;
    if (first && group.length === 1) {
      first.reject(error);
      return;
    }
    const alone = async (key: Key) => (await this.#many([key]))[0]!;
    await Promise.all(group.map(({ key, resolve, reject }) => alone(key).then(resolve, reject)));
  }
}

/**
 * Makes a query by key: batched with concurrent ones on PostgreSQL, by itself on SQLite and within a transaction.
 * @param columns the parts of a key
 * @param build makes the query that joins with `asked`; its rows have `asked.position`. After an error it may run
 * again.
 * @param underWayMax how many statements may run at once: more of them make smaller batches and more work, but while
 * one waits for the disk another can run
 * @returns the row of a key, undefined when there is none
 */
export function askTogether<const Of extends Columns, Row extends Found>(
  columns: Of,
  build: (db: Db, asked: Asked<Of>) => { compile: () => CompiledQuery<Row> },
  underWayMax = 1,
): (db: Db, key: KeyOf<Of>) => Promise<Row | undefined> {
  const one = prepared((db, key: KeyOf<Of>) => build(db, askedValues(columns, key)));
  const several = prepared((db, lists: ListsOf<Of>) => build(db, askedLists(columns, lists)));

  async function many(db: Db, keys: KeyOf<Of>[]): Promise<(Row | undefined)[]> {
    const lists = Object.fromEntries(
      Object.keys(columns).map((name) => [name, keys.map((key) => key[name])]),
    );
    const answers = keys.map((): Row | undefined => undefined);
    for (const row of await several(db, lists as ListsOf<Of>)) {
      if (row.position !== undefined) answers[row.position - 1] = row;
    }
    return answers;
  }

  const groups = new WeakMap<DialectAdapter, Group<KeyOf<Of>, Row | undefined>>();
  return async (db, key) => {
    if (readsInProcess(db)) return (await one(db, key))[0];
    if (db.isTransaction) return (await many(db, [key]))[0];
    const { adapter } = db.getExecutor();
    let group = groups.get(adapter);
    if (!group) {
      group = new Group((keys) => many(db, keys), underWayMax);
      groups.set(adapter, group);
    }
    return group.ask(key);
  };
}
