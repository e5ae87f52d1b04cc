import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSqliteFile } from '../../../test/sqlite-file.ts';

/** Tests of upkeep on the driver: each written note inserts a row into `owed`, which a step moves to `done`. */

type TestTables = { notes: { id: number } };

const STEP_ROWS = 100;

async function openFile() {
  const steps: number[] = [];
  const errors: unknown[] = [];
  let failure: Error | null = null;
  const { db, file, close } = openSqliteFile<TestTables>({
    upkeep: {
      step: (run) => {
        const next = `select id from owed order by id limit ${STEP_ROWS}`;
        run(`insert into done (id) ${next}`);
        if (failure) throw failure;
        const moved = run(`delete from owed where id in (${next})`);
        if (moved > 0) steps.push(moved);
        return moved === STEP_ROWS;
      },
      onError: (error) => errors.push(error),
    },
  });
  const other = new Database(file);
  onTestFinished(() => void other.close());
  other.exec(`create table owed (id integer primary key); create table done (id integer primary key);
    create table notes (id integer primary key);
    create trigger note after insert on notes begin insert into owed (id) values (new.id); end`);
  const countOf = (table: string) => other.prepare(`select count(*) from ${table}`).pluck().get() as number;
  const fail = (error: Error | null) => {
    failure = error;
  };
  return { db, file, other, steps, errors, fail, close, countOf };
}

type TestDb = Awaited<ReturnType<typeof openFile>>['db'];

const insert = (db: TestDb, from: number, count: number) =>
  db
    .insertInto('notes')
    .values(Array.from({ length: count }, (_, index) => ({ id: from + index })))
    .execute();

test('a few changed rows wait a moment and are then processed together', async () => {
  const { db, steps, countOf } = await openFile();
  for (let id = 1; id <= 20; id += 1) await insert(db, id, 1);
  expect(countOf('owed')).toBe(20);
  await expect.poll(() => countOf('owed')).toBe(0);
  expect(steps).toEqual([20]);
  expect(countOf('done')).toBe(20);
});

test('many changed rows are processed at once in short steps, and other writes run between the steps', async () => {
  const { db, steps, countOf } = await openFile();
  await insert(db, 1, 350);
  expect(countOf('done')).toBe(STEP_ROWS);
  await insert(db, 1001, 1);
  await expect.poll(() => countOf('owed')).toBe(0);
  expect(steps).toEqual([STEP_ROWS, STEP_ROWS, STEP_ROWS, 51]);
});

test('upkeep runs often enough while write groups are full', async () => {
  const { db, steps, countOf } = await openFile();
  await Promise.all(Array.from({ length: 1000 }, (_, id) => insert(db, id + 1, 1)));
  expect(steps.length).toBeGreaterThanOrEqual(3);
  await expect.poll(() => countOf('owed')).toBe(0);
  expect(countOf('notes')).toBe(1000);
});

test('a failed step is rolled back, reported and retried later, and no written row is lost', async () => {
  const { db, errors, fail, countOf } = await openFile();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  fail(new Error('no room'));
  await insert(db, 1, 300);
  expect(errors).toEqual([new Error('no room')]);
  await insert(db, 1001, 300);
  expect(errors).toHaveLength(1);
  expect([countOf('notes'), countOf('done'), countOf('owed')]).toEqual([600, 0, 600]);

  fail(null);
  await vi.advanceTimersByTimeAsync(30_000);
  await vi.advanceTimersByTimeAsync(1000);
  expect([countOf('done'), countOf('owed')]).toEqual([600, 0]);
});

test('upkeep waits while another process writes and reports no error', async () => {
  const { db, other, errors, countOf } = await openFile();
  await insert(db, 1, 10);
  other.exec('begin immediate');
  await delay(600);
  other.exec('commit');
  expect(countOf('owed')).toBe(10);
  await expect.poll(() => countOf('owed')).toBe(0);
  expect(errors).toEqual([]);
});

test('closing finishes all upkeep', async () => {
  const { db, steps, close, countOf } = await openFile();
  await insert(db, 1, 130);
  await close();
  expect(steps).toEqual([STEP_ROWS, 30]);
  expect(countOf('owed')).toBe(0);
});

test('pending upkeep does not keep the process alive', async () => {
  const { file, close } = await openFile();
  await close();
  const program = `
    import { Kysely, sql } from 'kysely';
    import { sqliteDialect } from './server/db/sqlite/driver.ts';
    const upkeep = { step: () => true, onError: () => {} };
    const db = new Kysely({ dialect: sqliteDialect({ file: process.argv[1], booleanColumns: new Set(), upkeep }) });
    await sql\`insert into notes values (1)\`.execute(db);`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', program, file], { timeout: 60_000 });
});
