import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openForTest } from '../../../test/empty-database.ts';
import { createDatabase } from '../../../test/postgres/databases.ts';
import { providePgBouncer, startPgBouncer } from '../../../test/postgres/pgbouncer.ts';

/** The planner settings apply to every statement (docs/decisions/099). */

const isPostgres = process.env.TEST_ENGINE === 'postgres';
const program = isPostgres ? providePgBouncer() : undefined;

const shown = async (url: string, pooler: 'transaction' | null) => {
  const db = openForTest({ kind: 'postgres', url, pool: 2, pooler });
  const values: Record<string, string> = {};
  for (const name of ['jit', 'random_page_cost', 'max_parallel_workers_per_gather']) {
    const { rows } = await sql<Record<string, string>>`show ${sql.raw(name)}`.execute(db);
    values[name] = rows[0]![name]!;
  }
  return values;
};

const SET = { jit: 'off', random_page_cost: '1.1', max_parallel_workers_per_gather: '0' };

describe.runIf(isPostgres)('settings of the query planner', () => {
  test('they apply to the first statement of a connection', async () => {
    const { url, drop } = await createDatabase();
    onTestFinished(drop);
    expect(await shown(url, null)).toEqual(SET);
  });

  test.runIf(program !== undefined)('they apply to a statement through PgBouncer', async () => {
    const { url, drop } = await createDatabase();
    const bouncer = await startPgBouncer(program!, url, []);
    onTestFinished(async () => {
      await bouncer.stop();
      await drop();
    });
    const address = new URL(url);
    address.host = bouncer.host;
    expect(await shown(address.toString(), 'transaction')).toEqual(SET);
  });
});
