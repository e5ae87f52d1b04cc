import { type AliasedRawBuilder, type CompiledQuery, type DialectAdapter, sql } from 'kysely';
import { isOutOfTime, readsInProcess } from './dialect.ts';
import { prepared } from './prepared.ts';
import type { Db } from './tables.ts';

/**
 * What arrives together is asked together. On PostgreSQL most of what a short statement costs is its way there and back,
 * in both processes, and it costs the same for one key as for sixty: programs that validate or beat at the same moment
 * share one statement (docs/decisions/019-questions-that-arrive-together.md). Nobody waits for company: who comes alone is
 * asked for at once, and a group is what has come while others were under way.
 */

/** Bounds what one statement carries. */
const GROUP_MAX = 200;

/** How a column of what is asked for is written in PostgreSQL, and what it is here. */
type Types = { text: string; bigint: number; timestamptz: string };
type Columns = Record<string, keyof Types>;
type KeyOf<Of extends Columns> = { [Name in keyof Of]: Types[Of[Name]] };
type ListsOf<Of extends Columns> = { [Name in keyof Of]: Types[Of[Name]][] };

/** What is asked for, as a table to join with; `position` counts from 1. */
type Asked<Of extends Columns> = AliasedRawBuilder<KeyOf<Of> & { position: number }, 'asked'>;
type Found = { position?: number };

/** PostgreSQL: several keys, as a list for each column. */
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
    const alone = async (key: Key) => (await this.#many([key]))[0]!;
    await Promise.all(group.map(({ key, resolve, reject }) => alone(key).then(resolve, reject)));
  }
}

/**
 * A query that answers one key: on PostgreSQL together with others of the same moment; on SQLite, and within a
 * transaction, by itself.
 * @param columns the parts of a key
 * @param build makes the query that joins with `asked`; what it finds carries `asked.position`. After an error it may be asked again.
 * @param underWayMax how many statements may be under way at once: more of them make smaller groups and more work, but a
 * statement that waits for a disk leaves time for another
 * @returns the row that was found for a key, undefined for none
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
