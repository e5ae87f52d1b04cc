import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteFile } from '../../../test/sqlite-file.ts';

/** Tests of group commit on the driver: with a file, real transactions and real failures. */

type TestTables = {
  notes: { id: number; text: string; is_active?: boolean | null };
  children: { id: number; parent_id: number };
};

async function openFile(options: { busyMs?: number } = {}) {
  const { db, file, close } = openSqliteFile<TestTables>({
    booleanColumns: new Set(['is_active']),
    ...options,
  });
  await sql`create table notes (id integer primary key, text text not null, is_active integer)`.execute(db);
  await sql`create table children (
    id integer primary key, parent_id integer not null references notes (id) deferrable initially deferred
  )`.execute(db);
  return { db, file, close };
}

type TestDb = Awaited<ReturnType<typeof openFile>>['db'];

const insert = (db: TestDb, id: number) => db.insertInto('notes').values({ id, text: 'x' }).execute();
const insertInTransaction = (db: TestDb, id: number) => db.transaction().execute((tx) => insert(tx, id));
const ids = async (db: TestDb) =>
  (await db.selectFrom('notes').select('id').orderBy('id').execute()).map((row) => row.id);
const statuses = (results: PromiseSettledResult<unknown>[]) => results.map((result) => result.status);
const turn = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Each commit ends with a frame that contains the size of the file; other frames have 0 there (SQLite file format
 * 4.2).
 */
function commitsIn(file: string): number {
  const log = readFileSync(`${file}-wal`);
  const pageSize = log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + 24 <= log.length; at += 24 + pageSize) {
    const belongsToThisLog = log.readUInt32BE(at + 8) === log.readUInt32BE(16);
    if (belongsToThisLog && log.readUInt32BE(at + 4) !== 0) commits += 1;
  }
  return commits;
}

describe('group commit', () => {
  test('1,000 concurrent transactions are stored in a few commits and acknowledged in their order', async () => {
    const { db, file } = await openFile();
    const before = commitsIn(file);
    const acknowledged: number[] = [];

    await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        insertInTransaction(db, index).then(() => acknowledged.push(index)),
      ),
    );

    expect(await ids(db)).toEqual(Array.from({ length: 1000 }, (_, index) => index));
    expect(acknowledged).toEqual(Array.from({ length: 1000 }, (_, index) => index));
    expect(commitsIn(file) - before).toBe(Math.ceil(1000 / 64));
  });

  test('a transaction that fails rolls back only its own rows, not those of its group', async () => {
    const { db } = await openFile();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        db.transaction().execute(async (tx) => {
          await insert(tx, index);
          if (index % 3 === 0) throw new Error('no');
        }),
      ),
    );

    expect(statuses(results)).toEqual(
      Array.from({ length: 20 }, (_, index) => (index % 3 === 0 ? 'rejected' : 'fulfilled')),
    );
    expect(await ids(db)).toEqual(
      Array.from({ length: 20 }, (_, index) => index).filter((index) => index % 3 !== 0),
    );
  });

  test('a statement that fails inside a transaction does not undo the other statements', async () => {
    const { db } = await openFile();
    await db.transaction().execute(async (tx) => {
      await insert(tx, 1);
      await expect(insert(tx, 1)).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
      await insert(tx, 2);
    });
    expect(await ids(db)).toEqual([1, 2]);
  });

  test('a single write that fails does not affect the others of its group', async () => {
    const { db } = await openFile();
    const results = await Promise.allSettled([insert(db, 1), insert(db, 1), insert(db, 2)]);
    expect(statuses(results)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await ids(db)).toEqual([1, 2]);
  });

  test('a failed commit rejects every transaction of its group and stores none, and later commits work', async () => {
    const { db } = await openFile();
    const results = await Promise.allSettled([
      insertInTransaction(db, 1),
      db.transaction().execute((tx) => tx.insertInto('children').values({ id: 1, parent_id: 99 }).execute()),
      insertInTransaction(db, 2),
    ]);
    expect(statuses(results)).toEqual(['rejected', 'rejected', 'rejected']);
    for (const result of results) {
      expect(result).toMatchObject({ reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' } });
    }
    expect(await ids(db)).toEqual([]);

    // Kysely runs a rollback after a failed commit. It must not affect another transaction.
    const next = await Promise.allSettled([
      db.transaction().execute(async (tx) => {
        await insert(tx, 10);
        await turn();
        await insert(tx, 11);
      }),
      insertInTransaction(db, 12),
    ]);
    expect(statuses(next)).toEqual(['fulfilled', 'fulfilled']);
    expect(await ids(db)).toEqual([10, 11, 12]);
  });

  test('a failed commit of a group does not roll back a transaction that runs meanwhile', async () => {
    const { db } = await openFile();
    const failing = Array.from({ length: 64 }, (_, index) =>
      db
        .transaction()
        .execute((tx) => tx.insertInto('children').values({ id: index, parent_id: 99 }).execute()),
    );
    // The 65th transaction begins in the same turn in which the full group of 64 fails and rolls back.
    const running = db.transaction().execute(async (tx) => {
      await insert(tx, 1);
      await turn();
      await turn();
      await insert(tx, 2);
    });
    const results = await Promise.allSettled([...failing, running]);
    expect(results.filter((result) => result.status === 'rejected')).toHaveLength(64);
    expect(results.at(-1)?.status).toBe('fulfilled');
    expect(await ids(db)).toEqual([1, 2]);
  });

  test('no write is acknowledged or visible to reads before the commit', async () => {
    const { db } = await openFile();
    const first = insertInTransaction(db, 1);
    let isAcknowledged = false;
    void first.then(() => {
      isAcknowledged = true;
    });
    const readInside = await db.transaction().execute(async (tx) => {
      await turn();
      await insert(tx, 2);
      expect(isAcknowledged).toBe(false);
      expect(await ids(db)).toEqual([]);
      return ids(tx);
    });
    expect(readInside).toEqual([1, 2]);
    expect(isAcknowledged).toBe(true);
    expect(await ids(db)).toEqual([1, 2]);
  });

  test('an acknowledged write is visible to the next read', async () => {
    const { db } = await openFile();
    for (let id = 0; id < 50; id += 1) {
      await insert(db, id);
      expect((await ids(db)).at(-1)).toBe(id);
    }
  });
});

describe('failures of the file', () => {
  test.runIf(process.platform === 'linux')(
    'a write error at the commit rejects every transaction of the group, and later commits work',
    async () => {
      const { db, file } = await openFile();
      await insert(db, 1);
      const limit = readFileSync(`${file}-wal`).length + 100;
      const results = await withFileSizeLimit(limit, () =>
        Promise.allSettled([insertInTransaction(db, 2), insertInTransaction(db, 3), insert(db, 4)]),
      );
      expect(statuses(results)).toEqual(['rejected', 'rejected', 'rejected']);
      for (const result of results) {
        expect(result).toMatchObject({ reason: { code: expect.stringMatching(/^SQLITE_(IOERR|FULL)/) } });
      }
      expect(await ids(db)).toEqual([1]);

      await Promise.all([insertInTransaction(db, 5), insertInTransaction(db, 6)]);
      expect(await ids(db)).toEqual([1, 5, 6]);
    },
  );

  test.runIf(process.platform === 'linux')(
    'a write error inside a transaction ends the group, and nothing of the group is stored',
    async () => {
      const { db, file } = await openFile();
      const limit = readFileSync(`${file}-wal`).length + 100;
      const results = await withFileSizeLimit(limit, () =>
        Promise.allSettled([
          insertInTransaction(db, 1),
          db.transaction().execute(async (tx) => {
            // With such a small cache SQLite writes pages before the commit.
            await sql`pragma cache_size = 1`.execute(tx);
            const large = 'x'.repeat(200_000);
            await tx
              .insertInto('notes')
              .values({ id: 2, text: large })
              .execute()
              .catch(() => {});
            await insert(tx, 3).catch(() => {});
          }),
        ]),
      );
      expect(statuses(results)).toEqual(['rejected', 'rejected']);
      expect(await ids(db)).toEqual([]);
      await insertInTransaction(db, 4);
      expect(await ids(db)).toEqual([4]);
    },
  );

  test('a transaction waits for another process that writes, and reads continue meanwhile', async () => {
    const { db, file } = await openFile();
    await insert(db, 1);
    const other = new Database(file);
    onTestFinished(() => {
      other.close();
    });
    other.exec('begin immediate');
    let isDone = false;
    const waiting = insertInTransaction(db, 2).then(() => {
      isDone = true;
    });
    for (let round = 0; round < 5; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await ids(db)).toEqual([1]);
    }
    expect(isDone).toBe(false);
    other.exec('commit');
    await waiting;
    expect(await ids(db)).toEqual([1, 2]);
  });

  test('a file that stays busy fails the transaction with SQLITE_BUSY, and the next one works', async () => {
    const { db, file } = await openFile({ busyMs: 100 });
    const other = new Database(file);
    onTestFinished(() => {
      other.close();
    });
    other.exec('begin immediate');
    const results = await Promise.allSettled([insertInTransaction(db, 1), insert(db, 2)]);
    expect(results).toMatchObject([
      { status: 'rejected', reason: { code: 'SQLITE_BUSY' } },
      { status: 'rejected', reason: { code: 'SQLITE_BUSY' } },
    ]);
    other.exec('rollback');
    await insertInTransaction(db, 3);
    expect(await ids(db)).toEqual([3]);
  });
});

describe('closing', () => {
  test('closing waits for the running and the queued transactions, then refuses new ones', async () => {
    const { db, file, close } = await openFile();
    const slow = db.transaction().execute(async (tx) => {
      await insert(tx, 1);
      await new Promise((resolve) => setTimeout(resolve, 30));
      await insert(tx, 2);
    });
    const inLine = insertInTransaction(db, 3);
    await turn();
    await close();
    await Promise.all([slow, inLine]);
    await expect(insertInTransaction(db, 4)).rejects.toThrow();

    const reopened = new Database(file, { readonly: true });
    onTestFinished(() => {
      reopened.close();
    });
    expect(reopened.prepare('select id from notes order by id').pluck().all()).toEqual([1, 2, 3]);
  });

  test('a transaction that is requested during closing fails', async () => {
    const { db, close } = await openFile();
    const slow = db.transaction().execute(async (tx) => {
      await insert(tx, 1);
      await new Promise((resolve) => setTimeout(resolve, 30));
    });
    await turn();
    const closing = close();
    await expect(insertInTransaction(db, 2)).rejects.toThrow();
    await Promise.all([slow, closing]);
  });

  test('closing commits an open group', async () => {
    const { db, file, close } = await openFile();
    const waiting = insertInTransaction(db, 1);
    await turn();
    await close();
    await waiting;
    const reopened = new Database(file, { readonly: true });
    onTestFinished(() => {
      reopened.close();
    });
    expect(reopened.prepare('select count(*) from notes').pluck().get()).toBe(1);
  });
});

describe('values', () => {
  test('booleans are returned as booleans and null as null, by column name', async () => {
    const { db } = await openFile();
    await db
      .insertInto('notes')
      .values([
        { id: 1, text: 'a', is_active: true },
        { id: 2, text: 'b', is_active: false },
        { id: 3, text: 'c', is_active: null },
        { id: 4, text: 'd' },
      ])
      .execute();
    const rows = await db.selectFrom('notes').select('is_active').orderBy('id').execute();
    expect(rows.map((row) => row.is_active)).toEqual([true, false, null, null]);
  });

  test('statements work when there are more of them than the cache holds', async () => {
    const { db } = await openFile();
    await insert(db, 1);
    for (let count = 1; count <= 520; count += 1) {
      await db
        .selectFrom('notes')
        .select('id')
        .where(
          'id',
          'in',
          Array.from({ length: count }, (_, index) => index),
        )
        .execute();
    }
    expect(await ids(db)).toEqual([1]);
  });

  test('streaming is refused with a clear error', async () => {
    const { db } = await openFile();
    const read = async () => {
      for await (const row of db.selectFrom('notes').selectAll().stream()) expect(row).toBeUndefined();
    };
    await expect(read()).rejects.toThrow('does not stream');
  });
});

/** Runs work with a limit on file size, which causes a real write error as on a full disk. */
async function withFileSizeLimit<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  const setLimit = (soft: string) =>
    execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${soft}:`], { stdio: 'ignore' });
  setLimit(String(bytes));
  try {
    return await work();
  } finally {
    setLimit('unlimited');
  }
}
