import { type Compilable, type Expression, type RawBuilder, sql } from 'kysely';
import { isOutOfTime, readsInProcess } from './dialect.ts';
import { perDatabase } from './per-database.ts';
import { prepared } from './prepared.ts';
import type { Db } from './tables.ts';

/**
 * Sends queries that arrive together in one statement. On PostgreSQL most of the cost of a short statement is the
 * round trip, which is the same for one key and for sixty. So concurrent validations or heartbeats share one
 * statement (docs/decisions/019-questions-that-arrive-together.md). A query that arrives alone is sent at once;
 * queries that arrive while others are running form the next batch.
 */

/** The most keys in one statement. */
const GROUP_MAX = 200;

/** The PostgreSQL types of key columns, with their TypeScript types. */
type Types = { text: string; bigint: number; timestamptz: string | null };
type Columns = Record<string, keyof Types>;
type KeyOf<Of extends Columns> = { [Name in keyof Of]: Types[Of[Name]] };
/** A kysely update to which the list of keys can be added. */
type Update = Compilable & { from: (list: ReturnType<typeof listOf>) => Compilable<Found> };
type ListsOf<Of extends Columns> = { [Name in keyof Of]: Types[Of[Name]][] };

/** The parts of a key as values in a query: parameters for one key, or the columns of the list `asked`. */
type Asked<Of extends Columns> = { [Name in keyof Of]: Expression<Types[Of[Name]]> };

const mapKeys = <Of extends Columns>(columns: Of, value: (name: keyof Of & string) => Expression<unknown>) =>
  // The cast is needed because `fromEntries` loses the names of the properties.
  Object.fromEntries(Object.keys(columns).map((name) => [name, value(name)])) as unknown as Asked<Of>;

const oneKey = <Of extends Columns>(columns: Of, key: KeyOf<Of>) =>
  mapKeys(columns, (name) => sql`${key[name]}`);

/** A key in the list, by the columns of {@link listOf}. */
const keyOfList = <Of extends Columns>(columns: Of) => mapKeys(columns, (name) => sql.ref(`asked.${name}`));

/** For PostgreSQL: several keys as the table `asked`, one array per column; `position` starts at 1. */
function listOf<Of extends Columns>(columns: Of, lists: ListsOf<Of>) {
  const names = Object.keys(columns);
  const taken = names.map((name) => sql`${lists[name]}::${sql.raw(`${columns[name]}[]`)}`);
  const known = [...names, 'position'].map((name) => sql.id(name));
  return sql<{ position: number }>`unnest(${sql.join(taken)}) with ordinality`.as<'asked'>(
    sql`asked (${sql.join(known)})`,
  );
}

/**
 * Rows as the table `asked` in a statement, one list per column, on both engines; `position` starts at 1. PostgreSQL
 * gets arrays, SQLite JSON.
 */
export function askedRows<Of extends Columns>(db: Db, columns: Of, lists: ListsOf<Of>): RawBuilder<unknown> {
  if (!readsInProcess(db)) return sql`${listOf(columns, lists)}`;
  const [first, ...others] = Object.keys(columns) as [string, ...string[]];
  const taken = others.map(
    (name) => sql`, json_extract(${lists[name]}, '$[' || listed.key || ']') as ${sql.id(name)}`,
  );
  return sql`(select listed.key + 1 as position, listed.value as ${sql.id(first)}${sql.join(taken, sql``)}
    from json_each(${lists[first]}) as listed) as asked`;
}

/** The lists for {@link askedRows}, from rows. */
export const listsOf = <Of extends Columns>(columns: Of, rows: readonly KeyOf<Of>[]): ListsOf<Of> =>
  // The cast is needed because `fromEntries` loses the names of the properties.
  Object.fromEntries(
    Object.keys(columns).map((name) => [name, rows.map((row) => row[name])]),
  ) as unknown as ListsOf<Of>;

type Found = { position?: number };

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
    // Requests that already wait in the sockets are read before this callback runs.
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
      // The queries that wait behind a statement that timed out have used up their time too.
      if (isOutOfTime(error)) for (const { reject } of [...group, ...this.#waiting.splice(0)]) reject(error);
      else await this.#separately(group, error);
    } finally {
      this.#underWay -= 1;
      if (this.#waiting.length > 0) this.#schedule();
    }
  }

  /** Runs each key in a separate statement, so that only an invalid one fails. */
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

/** How a query by key runs: for one key, and for the lists of several keys. */
type Ways<Of extends Columns, Row> = {
  one: (db: Db, key: KeyOf<Of>) => Promise<Row[]>;
  several: (db: Db, lists: ListsOf<Of>) => Promise<(Row & Found)[]>;
  underWayMax: number;
};

/**
 * Makes a query by key that finds at most one row. On PostgreSQL it is batched with concurrent queries; on SQLite and
 * within a transaction it runs alone.
 * @param columns the parts of a key
 * @param build makes the query from the parts of a key; after an error it may run again
 * @returns the row for a key, undefined if there is none
 */
export function askTogether<const Of extends Columns, Row>(
  columns: Of,
  build: (db: Db, asked: Asked<Of>) => Compilable<Row> & Expression<Row>,
): (db: Db, key: KeyOf<Of>) => Promise<Row | undefined> {
  // PostgreSQL plans the lateral query as a join, so it runs once for all keys.
  const several = (db: Db, lists: ListsOf<Of>) =>
    sql<Row & Found>`select answer.*, asked.position from ${listOf(columns, lists)}
      cross join lateral ${build(db, keyOfList(columns))} as answer`;
  return inGroups({
    one: prepared((db, key: KeyOf<Of>) => build(db, oneKey(columns, key))),
    several: prepared((db, lists: ListsOf<Of>) => ({ compile: () => several(db, lists).compile(db) })),
    underWayMax: 1,
  });
}

/** Two statements at once: while one waits for the disk, the other can run. With more, the batches would be smaller. */
const WRITES_UNDER_WAY = 2;

/**
 * Makes an update by key, batched like {@link askTogether}.
 * @param build makes the update for the row of a key
 * @returns resolves when the update is on disk
 */
export function writeTogether<const Of extends Columns>(
  columns: Of,
  build: (db: Db, asked: Asked<Of>) => Update,
): (db: Db, key: KeyOf<Of>) => Promise<void> {
  const write = inGroups({
    one: prepared((db, key: KeyOf<Of>) => build(db, oneKey(columns, key))),
    several: prepared((db, lists: ListsOf<Of>) => build(db, keyOfList(columns)).from(listOf(columns, lists))),
    underWayMax: WRITES_UNDER_WAY,
  });
  return async (db, key) => void (await write(db, key));
}

function inGroups<Of extends Columns, Row>({ one, several, underWayMax }: Ways<Of, Row>) {
  async function many(db: Db, keys: KeyOf<Of>[]): Promise<(Row | undefined)[]> {
    const names = Object.keys(keys[0]!);
    const lists = Object.fromEntries(names.map((name) => [name, keys.map((key) => key[name])]));
    const answers = keys.map((): Row | undefined => undefined);
    for (const row of await several(db, lists as ListsOf<Of>)) {
      if (row.position !== undefined) answers[row.position - 1] = row;
    }
    return answers;
  }

  const groupOf = perDatabase((db) => new Group((keys: KeyOf<Of>[]) => many(db, keys), underWayMax));
  return async (db: Db, key: KeyOf<Of>): Promise<Row | undefined> => {
    if (readsInProcess(db) || db.isTransaction) return (await one(db, key))[0];
    return groupOf(db).ask(key);
  };
}

/**
 * Turns a function that works for many calls into one for a single call. Calls that arrive together, or while others
 * are running, are processed together and share a transaction and its statements. This is useful on both engines,
 * because they share more than the commit. Only one group runs at a time, because two groups would wait for each
 * other's rows.
 * @param many processes some calls and returns their results in the same order; if it throws, each call is processed
 * alone
 */
export function workTogether<Owner extends object, Call, Answer>(
  many: (owner: Owner, calls: Call[]) => Promise<Answer[]>,
): (owner: Owner, call: Call) => Promise<Answer> {
  const groups = new WeakMap<Owner, Group<Call, Answer>>();
  return (owner, call) => {
    let group = groups.get(owner);
    if (!group) {
      group = new Group((calls) => many(owner, calls), 1);
      groups.set(owner, group);
    }
    return group.ask(call);
  };
}
