import { createHash } from 'node:crypto';
import type { CompiledQuery } from 'kysely';
import { perDatabase } from './per-database.ts';
import { GroupingSqliteAdapter } from './sqlite/driver.ts';
import type { Db } from './tables.ts';

/**
 * Queries that are built and compiled once and run many times. To build a query with kysely takes several times as
 * long as SQLite needs to run it (measured: 40 µs and 8 µs for a licence with its names), and PostgreSQL can reuse a
 * plan for a text that never changes. Use this for a query whose building was measured as at least a tenth of its
 * request; write every other query with kysely directly.
 */

/** A placeholder for a value while a query is built; each run replaces it in the parameters by the real value. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type Values = Record<string, unknown>;
type Buildable<Row> = { compile: () => CompiledQuery<Row> };

/** The texts that are prepared statements on PostgreSQL, with their names. */
const names = new Map<string, string>();

/** PostgreSQL cuts names after 63 bytes, so the hash is shortened. */
const NAME_LENGTH = 22;

/**
 * The name is a hash of the text. With a pooler, two processes share connections; numbered names could then stand for
 * two different statements (OPS-04).
 */
const nameOf = (text: string): string =>
  `lm_${createHash('sha256').update(text).digest('base64url').slice(0, NAME_LENGTH)}`;

/** The name of the prepared statement with this text; undefined if the text is not prepared. */
export const preparedName = (text: string): string | undefined => names.get(text);

/**
 * Prepares a query: `build` runs once for each engine, each form and each set of present values, with placeholders
 * instead of the values.
 *
 * A value may stand only where kysely takes a value (comparison, insert, limit), and `build` must not inspect it.
 * Whatever changes the statement, such as an order or a flag, belongs to the form. List the columns one by one and
 * not as `*`: a cached plan would fail when a newer program adds a column.
 * @param build makes the query from values and form
 * @returns a function that runs the query and returns its rows; its first argument is the executor
 */
export function prepared<Given extends Values, Row, Form = undefined>(
  build: (db: Db, values: Given, form: Form) => Buildable<Row>,
): (db: Db, values: Given, ...form: Form extends undefined ? [] : [Form]) => Promise<Row[]> {
  const formsOf = perDatabase(() => new Map<string, CompiledQuery<Row>>());

  function compile(db: Db, values: Given, form: Form): CompiledQuery<Row> {
    const slots: Values = {};
    for (const name of Object.keys(values)) slots[name] = new Slot(name);
    // Kysely puts the placeholders into the parameters like any other value.
    const compiled = build(db, slots as Given, form).compile();
    if (!names.has(compiled.sql)) names.set(compiled.sql, nameOf(compiled.sql));
    return compiled;
  }

  function compiledFor(db: Db, values: Given, form: Form): CompiledQuery<Row> {
    const forms = formsOf(db);
    let key = form === undefined ? '' : JSON.stringify(form);
    for (const name in values) key += ` ${name}`;
    let compiled = forms.get(key);
    if (!compiled) {
      compiled = compile(db, values, form);
      forms.set(key, compiled);
    }
    return compiled;
  }

  return async (db, values, ...rest) => {
    const compiled = compiledFor(db, values, rest[0] as Form);
    const { query, queryId, sql } = compiled;
    const parameters = compiled.parameters.map((value) =>
      value instanceof Slot ? values[value.name] : value,
    );
    return runCompiled(db, { query, queryId, sql, parameters });
  };
}

/**
 * Runs a compiled query. On SQLite a read does not wait for a connection.
 * @returns its rows
 */
export async function runCompiled<Row>(db: Db, compiled: CompiledQuery<Row>): Promise<Row[]> {
  const executor = db.getExecutor();
  const { adapter } = executor;
  if (!db.isTransaction && adapter instanceof GroupingSqliteAdapter) {
    const rows = adapter.runDirectly<Row>(compiled.sql, compiled.parameters);
    if (rows) return rows;
  }
  return (await executor.executeQuery<Row>(compiled)).rows;
}
