import pg from 'pg';
import { vi } from 'vitest';
import { Connection } from '../../server/db/sqlite/connection.ts';

/** A statement as sent to the database, and the step during which it first occurred. */
export type Statement = { text: string; values: readonly unknown[]; during: string };

/** Observes the statements between the program and the database. */
export type Watch = {
  /** The distinct statements so far. */
  statements: Map<string, Statement>;
  /** How often statements ran that contain a text. */
  timesOf: (part: string) => number;
  /** The statement that returned the most rows. */
  largest: () => { rows: number; text: string };
  /** Sets the name of the current step; null: statements are not recorded. */
  during: (what: string | null) => void;
};

/** Records each statement of both engines without changing it. Call it before the database is opened. */
export function watchStatements(): Watch {
  const statements = new Map<string, Statement>();
  const times = new Map<string, number>();
  let largest = { rows: 0, text: '' };
  let during: string | null = null;
  const addRows = (text: string, rows: unknown) => {
    if (during !== null && Array.isArray(rows) && rows.length > largest.rows)
      largest = { rows: rows.length, text };
  };
  const add = (text: string, values: readonly unknown[]) => {
    if (during !== null) times.set(text, (times.get(text) ?? 0) + 1);
    if (during !== null && !statements.has(text)) statements.set(text, { text, values, during });
  };
  const { run } = Connection.prototype;
  vi.spyOn(Connection.prototype, 'run').mockImplementation(function (this: Connection, text, values) {
    add(text, values);
    const result = run.call(this, text, values);
    addRows(text, result.rows);
    return result;
  });
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [first, values] = args as [string | { text: string; values?: unknown[] }, unknown];
    const text = typeof first === 'string' ? first : first.text;
    if (typeof first === 'string') add(first, Array.isArray(values) ? values : []);
    else add(first.text, first.values ?? []);
    const result = Reflect.apply(query, this, args);
    // A failure is handled by whoever called.
    result?.then(
      ({ rows }: { rows?: unknown }) => addRows(text, rows),
      () => {},
    );
    return result;
  });
  return {
    statements,
    largest: () => largest,
    timesOf: (part) => [...times].reduce((sum, [text, count]) => sum + (text.includes(part) ? count : 0), 0),
    during: (what) => {
      during = what;
    },
  };
}
