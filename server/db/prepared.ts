import type { CompiledQuery, DialectAdapter } from 'kysely';
import { GroupingSqliteAdapter } from './sqlite/driver.ts';
import type { Db } from './tables.ts';

/**
 * Queries that are built and compiled once and run many times. Building a query with kysely costs several times what
 * SQLite takes to answer it (measured: 40 µs and 8 for a licence with its names), and a text that never changes is
 * what PostgreSQL can keep a plan for. It is for queries whose building is a tenth or more of the request that asks them,
 * measured; every other query is written as kysely has it.
 */

/** Stands for a value while a query is built; the value takes its place in the list of parameters at each run. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type Values = Record<string, unknown>;
type Buildable<Row> = { compile: () => CompiledQuery<Row> };

/** Texts that are worth a prepared statement on the server of PostgreSQL, with the name of each. */
const names = new Map<string, string>();

/** The name under which a connection keeps the plan of a statement; undefined for one that is not kept. */
export const preparedName = (text: string): string | undefined => names.get(text);

/**
 * Prepares a query: `build` runs once for each engine, each form and each set of values that are there, with slots in
 * the place of the values. A value that is undefined counts as not there.
 *
 * Values may go only where kysely takes a value (compared, stored, limited by) and are never looked at: they are not
 * there yet. What decides how the statement reads, an order or a flag, is its form. Columns are named one by one, not
 * `*`: a plan that is kept would break when a newer program adds a column.
 * @param build makes the query from values and form
 * @returns a function that runs it and gives its rows; like every query it takes the executor first
 */
export function prepared<Given extends Values, Row, Form = undefined>(
  build: (db: Db, values: Given, form: Form) => Buildable<Row>,
): (db: Db, values: Given, ...form: Form extends undefined ? [] : [Form]) => Promise<Row[]> {
  const kept = new WeakMap<DialectAdapter, Map<string, CompiledQuery<Row>>>();

  function compile(db: Db, values: Given, form: Form): CompiledQuery<Row> {
    const slots: Values = {};
    for (const name of Object.keys(values)) if (values[name] !== undefined) slots[name] = new Slot(name);
    // Kysely passes slots on into the parameters, as it does any value.
    const compiled = build(db, slots as Given, form).compile();
    if (!names.has(compiled.sql)) names.set(compiled.sql, `lm_${names.size}`);
    return compiled;
  }

  function compiledFor(db: Db, adapter: DialectAdapter, values: Given, form: Form): CompiledQuery<Row> {
    let forms = kept.get(adapter);
    if (!forms) {
      forms = new Map();
      kept.set(adapter, forms);
    }
    let key = form === undefined ? '' : JSON.stringify(form);
    for (const name in values) if (values[name] !== undefined) key += ` ${name}`;
    let compiled = forms.get(key);
    if (!compiled) {
      compiled = compile(db, values, form);
      forms.set(key, compiled);
    }
    return compiled;
  }

  return async (db, values, ...rest) => {
    const compiled = compiledFor(db, db.getExecutor().adapter, values, rest[0] as Form);
    const { query, queryId, sql } = compiled;
    const parameters = compiled.parameters.map((value) =>
      value instanceof Slot ? values[value.name] : value,
    );
    return runCompiled(db, { query, queryId, sql, parameters });
  };
}

/** Runs a query that is compiled: on SQLite without waiting for a turn, where it only reads. @returns its rows */
export async function runCompiled<Row>(db: Db, compiled: CompiledQuery<Row>): Promise<Row[]> {
  const executor = db.getExecutor();
  const { adapter } = executor;
  if (!db.isTransaction && adapter instanceof GroupingSqliteAdapter) {
    const rows = adapter.runDirectly<Row>(compiled.sql, compiled.parameters);
    if (rows) return rows;
  }
  return (await executor.executeQuery<Row>(compiled)).rows;
}
