import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, test, vi } from 'vitest';
import type { Tables } from './tables.ts';

/** An executor that records statements and does not send them, because only the name of a text is tested. */
const statements: string[] = [];
const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => ({
        executeQuery: async ({ sql }) => {
          statements.push(sql);
          return { rows: [] };
        },
        streamQuery: () => {
          throw new Error('not used');
        },
      }),
      beginTransaction: async () => {},
      commitTransaction: async () => {},
      rollbackTransaction: async () => {},
      releaseConnection: async () => {},
      destroy: async () => {},
    }),
  },
});

/** The names that one process gives to its statement texts, prepared in this order. */
async function namesOfAProcess(order: ('clients' | 'software')[]): Promise<Map<string, string | undefined>> {
  vi.resetModules();
  const { prepared, preparedName } = await import('./prepared.ts');
  statements.length = 0;
  for (const table of order) {
    const find = prepared((on, { id }: { id: number }) =>
      on.selectFrom(table).select('id').where('id', '=', id),
    );
    await find(db, { id: 1 });
  }
  return new Map(statements.map((text) => [text, preparedName(text)]));
}

test('two processes give a statement the same name, whichever statements each prepared before (OPS-04)', async () => {
  const one = await namesOfAProcess(['clients', 'software']);
  const other = await namesOfAProcess(['software', 'clients']);
  expect(one.size).toBe(2);
  expect(new Set(one.values()).size).toBe(2);
  for (const [text, name] of one) {
    expect(name).toMatch(/^lm_[\w-]{22}$/);
    expect(other.get(text)).toBe(name);
  }
});
