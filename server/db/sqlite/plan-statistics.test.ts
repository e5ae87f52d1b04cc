import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrate, openDatabase } from '../open.ts';
import { refreshStatistics } from '../plan-statistics.ts';

test('SQLite gets planner statistics once, and they contain no values of rows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'license-manager-statistics-'));
  const db = openDatabase({ kind: 'sqlite', file: join(folder, 'file.sqlite') }, (error) => {
    throw error;
  });
  try {
    await migrate(db);
    await sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 500)
      insert into throttles (key, count, window_ends_at)
      select 'nadie-' || n, 1, '2026-01-01' from numbers`.execute(db);

    expect(await refreshStatistics(db)).toBeGreaterThan(0);
    const { rows } = await sql<{
      stat: string;
    }>`select stat from sqlite_stat1 where tbl = 'throttles'`.execute(db);
    expect(rows.length).toBeGreaterThan(0);
    const samples = await sql`select name from sqlite_master where name = 'sqlite_stat4'`.execute(db);
    if (samples.rows.length > 0) {
      expect((await sql`select 1 from sqlite_stat4`.execute(db)).rows).toEqual([]);
    }

    expect(await refreshStatistics(db)).toBe(0);
  } finally {
    await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
});
