import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { migrate, openDatabase } from '../server/db/open.ts';
import { ORDER } from './move-to-postgres.ts';

test('every table is copied after the tables that it refers to', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'license-manager-order-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'schema.sqlite');
  const db = openDatabase({ kind: 'sqlite', file }, () => {});
  await migrate(db).finally(() => db.destroy());
  const schema = new Database(file, { readonly: true });
  onTestFinished(() => void schema.close());
  const position = new Map<string, number>(ORDER.map((table, index) => [table, index]));
  const early = ORDER.flatMap((table) =>
    (schema.pragma(`foreign_key_list(${table})`) as { table: string }[])
      .filter((to) => to.table !== table && (position.get(to.table) ?? -1) > (position.get(table) ?? 0))
      .map((to) => `${table} before ${to.table}`),
  );
  expect(early).toEqual([]);
});
