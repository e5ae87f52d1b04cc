import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { diagnose } from '../../ops/doctor.ts';
import { withClient } from '../../ops/with-client.ts';
import { DATABASE_FILE, migrate, openDatabase } from '../../server/db/open.ts';
import { keyDraftOf, restoreSteps, settleRestore } from '../../server/db/restore-steps.ts';
import { lockDataDir } from '../../server/db/sqlite/data-dir-lock.ts';
import { housekeepingJob } from '../../server/features/system/housekeeping/housekeeping-job.ts';
import { draftOf } from '../../server/lib/publish-file.ts';
import { createTestApp } from '../app.ts';
import { NIGHT } from '../at-night.ts';
import { contentOf, runCopy, startCopy } from '../copy-commands.ts';
import { emptyFolder } from '../empty-folder.ts';
import { createLicense } from '../factories.ts';
import { engineEnv, startForTest } from '../faults/engines.ts';
import { clusterUrl } from '../postgres/databases.ts';
import { runJob } from '../run-job.ts';
import type { ServerEnv } from '../start-server.ts';

/** Restores and backups that are killed or fail on the way (OPS-03). */

// Long, because each test starts commands one after the other.
vi.setConfig({ testTimeout: 120_000 });

const root = join(import.meta.dirname, '..', '..');
const onPostgres = process.env.TEST_ENGINE === 'postgres';
const template = () => process.env.LM_TEST_SQLITE_TEMPLATE ?? expect.unreachable();

const names = (folder: string) => readdirSync(folder).sort();

/** A database of this program whose only table of its own says which one it is. */
function databaseAt(file: string, says: string): void {
  copyFileSync(template(), file);
  const database = new Database(file);
  database.exec(`create table mark as select '${says}' as says`);
  database.close();
}

function read(file: string): unknown {
  const database = new Database(file, { readonly: true });
  try {
    return database.prepare('select says from mark').pluck().all();
  } finally {
    database.close();
  }
}

/** A data folder with a database whose last commit is in its write-ahead log, as after kill -9, and its key. */
function installation(): { dataDir: string; file: string } {
  const live = join(emptyFolder(), DATABASE_FILE);
  databaseAt(live, 'before');
  const writer = new Database(live);
  onTestFinished(() => void writer.close());
  writer.pragma('journal_mode = WAL');
  writer.exec("update mark set says = 'last commit'");
  const dataDir = emptyFolder();
  for (const end of ['', '-wal']) copyFileSync(`${live}${end}`, join(dataDir, `${DATABASE_FILE}${end}`));
  writeFileSync(join(dataDir, 'secret.key'), 'old key\n');
  return { dataDir, file: join(dataDir, DATABASE_FILE) };
}

/** A copy of another installation, with its key. */
function copy(): string {
  const file = join(emptyFolder(), 'copia');
  databaseAt(file, 'after');
  writeFileSync(`${file}.key`, `${'clave'.repeat(10)}\n`);
  return file;
}

/** Starts the server where it is expected to refuse. */
async function refusedStart(dataDir: string) {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: '0' },
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = await once(child, 'close');
  return { code, output };
}

/** Waits until nobody is connected to a database of PostgreSQL, into which a restore would be refused. */
const untilUnused = ({ DATABASE_URL }: ServerEnv) =>
  withClient(clusterUrl(undefined), (client) => {
    const name = new URL(String(DATABASE_URL)).pathname.slice(1);
    const connections = () => client.query('select 1 from pg_stat_activity where datname = $1', [name]);
    return expect.poll(connections).toMatchObject({ rows: [] });
  });

describe.runIf(!onPostgres)('a data folder', () => {
  const STEPS = 10;

  test.each(Array.from({ length: STEPS + 1 }, (_, done) => done))(
    'a restore that is killed after %i steps is finished, or has changed nothing; the old files are set aside whole (OPS-03)',
    (done) => {
      const { dataDir, file } = installation();
      const [draft, key] = [draftOf(file), keyDraftOf(file)];
      databaseAt(draft, 'after');
      writeFileSync(key, 'new key\n');
      const replaced = [
        { draft: basename(draft), target: DATABASE_FILE, aside: `${DATABASE_FILE}.anterior-1` },
        { draft: basename(key), target: 'secret.key', aside: 'secret.key.anterior-1' },
      ];
      const steps = restoreSteps(file, replaced);
      expect(steps).toHaveLength(STEPS);
      for (const step of steps.slice(0, done)) step();
      expect(settleRestore(file)).toBe(done > 0 && done < STEPS);
      const left = names(dataDir).filter((name) => !name.endsWith('-shm'));
      if (done === 0) {
        expect(left).toEqual([DATABASE_FILE, `${DATABASE_FILE}-wal`, 'secret.key']);
        expect(read(file)).toEqual(['last commit']);
        return;
      }
      const [database, ownKey] = [`${DATABASE_FILE}.anterior-1`, 'secret.key.anterior-1'];
      expect(left).toEqual([DATABASE_FILE, database, `${database}-wal`, 'secret.key', ownKey]);
      expect(read(file)).toEqual(['after']);
      expect(read(join(dataDir, database))).toEqual(['last commit']);
      expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe('new key\n');
      expect(readFileSync(join(dataDir, ownKey), 'utf8')).toBe('old key\n');
    },
  );

  test('a start finishes a restore that was killed between its renames (OPS-03)', async () => {
    const dataDir = emptyFolder();
    const file = join(dataDir, DATABASE_FILE);
    databaseAt(file, 'before');
    databaseAt(draftOf(file), 'after');
    writeFileSync(keyDraftOf(file), `${'clave'.repeat(10)}\n`);
    const restored = [
      { draft: basename(draftOf(file)), target: DATABASE_FILE, aside: `${DATABASE_FILE}.anterior-1` },
      { draft: basename(keyDraftOf(file)), target: 'secret.key', aside: 'secret.key.anterior-1' },
    ];
    for (const step of restoreSteps(file, restored).slice(0, 2)) step();
    expect(existsSync(file)).toBe(false);
    const server = await startForTest({ DATA_DIR: dataDir });
    expect(server.output()).toContain('Se terminó una restauración');
    expect(read(join(dataDir, `${DATABASE_FILE}.anterior-1`))).toEqual(['before']);
    expect(read(file)).toEqual(['after']);
    expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toMatch(/^clave/);
    expect(names(dataDir).filter((name) => /\.tmp|\.restore/.test(name))).toEqual([]);
  });

  test.each([
    ['a copy that was half read', { [`${DATABASE_FILE}.restore`]: '{"stage":"reading"}' }],
    ['a draft of an earlier version', { [`${DATABASE_FILE}.4000001.tmp`]: 'half' }],
    ['the database set aside', { [`${DATABASE_FILE}.anterior-20261129T040000`]: 'old' }],
    ['a write-ahead log alone', { [`${DATABASE_FILE}-wal`]: 'commits' }],
  ])('no empty installation begins where the database is missing and there is %s (OPS-03)', (_, files) => {
    const dataDir = emptyFolder();
    for (const [name, content] of Object.entries(files)) writeFileSync(join(dataDir, name), content);
    const start = () => settleRestore(join(dataDir, DATABASE_FILE));
    const message = /^Falta license-manager\.sqlite .* npm run restore -- COPIA/;
    // A supervisor starts a server again that has ended.
    for (const _again of [1, 2]) expect(start).toThrow(message);
    expect(names(dataDir)).toEqual(Object.keys(files));
  });

  test('a refused start says which command helps, a restore that fails leaves it refused, and one that succeeds does not (OPS-03)', async () => {
    const dataDir = emptyFolder();
    writeFileSync(join(dataDir, `${DATABASE_FILE}.restore`), '{"stage":"reading"}');
    expect(await refusedStart(dataDir)).toEqual({
      code: 1,
      output: expect.stringMatching(/^Falta license-manager\.sqlite .* npm run restore -- COPIA/),
    });
    const damaged = join(emptyFolder(), 'copia');
    writeFileSync(damaged, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(5000, 7)]));
    expect((await runCopy('restore', { DATA_DIR: dataDir }, damaged)).code).toBe(1);
    expect(() => settleRestore(join(dataDir, DATABASE_FILE))).toThrow(/^Falta/);
    expect(await runCopy('restore', { DATA_DIR: dataDir }, copy())).toEqual({
      code: 0,
      output: expect.stringContaining('Copia restaurada'),
    });
    expect(names(dataDir)).toEqual([DATABASE_FILE, 'secret.key', 'server.lock']);
    expect(read(join(dataDir, DATABASE_FILE))).toEqual(['after']);
  });

  test('what a restore left that was killed while it read the copy is removed by a restore and by housekeeping (OPS-03)', async () => {
    const { dataDir, file } = installation();
    const left = [
      `${DATABASE_FILE}.4000001.tmp`,
      `${DATABASE_FILE}.4000001.tmp-journal`,
      `${DATABASE_FILE}.key.4000001.tmp`,
    ];
    for (const name of left) writeFileSync(join(dataDir, name), 'half');
    writeFileSync(`${file}.restore`, '{"stage":"reading"}');
    writeFileSync(join(dataDir, 'copia.4000001.tmp'), 'of a backup');
    expect((await runCopy('restore', { DATA_DIR: dataDir }, copy(), '--replace')).code).toBe(0);
    expect(read(file)).toEqual(['after']);
    expect(names(dataDir).filter((name) => /\.tmp|\.restore/.test(name))).toEqual(['copia.4000001.tmp']);

    const t = await createTestApp();
    const own = t.context.config.dataDir;
    for (const name of left) writeFileSync(join(own, name), 'half');
    await runJob(t.context, housekeepingJob);
    expect(names(own).filter((name) => /\.tmp/.test(name))).toEqual([]);
  });

  test('no command makes an empty database where a restore was interrupted (OPS-03)', async () => {
    const { dataDir, file } = installation();
    const run = async () => {
      const child = spawn(process.execPath, ['ops/user.ts', 'list'], {
        cwd: root,
        env: { PATH: process.env.PATH, DATA_DIR: dataDir },
      });
      let output = '';
      child.stderr.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      const [code] = await once(child, 'close');
      return { code, output };
    };
    writeFileSync(`${file}.restore`, JSON.stringify({ stage: 'replacing', files: [] }));
    expect(await run()).toEqual({ code: 1, output: expect.stringContaining('no terminó') });
    rmSync(`${file}.restore`);
    rmSync(file);
    expect(await run()).toEqual({ code: 1, output: expect.stringMatching(/^Falta /) });
    const { found, close } = await diagnose({ DATA_DIR: dataDir });
    await close();
    expect(found.find(({ id }) => id === 'database')).toMatchObject({
      state: 'failure',
      message: expect.stringMatching(/^Falta /),
      remedy: 'Repite npm run restore -- COPIA.',
    });
    for (const name of names(dataDir)) rmSync(join(dataDir, name));
    expect(await run()).toEqual({ code: 1, output: expect.stringMatching(/^No hay una base de datos/) });
    expect(names(dataDir)).toEqual([]);
  });

  test('after a kill at any moment the old or the new database is there, with its own key (OPS-03)', {
    tags: [NIGHT],
  }, async () => {
    const file = copy();
    for (let turn = 0; turn < 12; turn += 1) {
      const { dataDir, file: database } = installation();
      const child = startCopy('restore', { DATA_DIR: dataDir }, file, '--replace');
      while (child.exitCode === null && !names(dataDir).some((name) => name.endsWith('.restore')))
        await setTimeout(1);
      await setTimeout(turn * 2);
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
      settleRestore(database);
      const isNew = (read(database) as string[])[0] === 'after';
      expect(read(database)).toEqual([isNew ? 'after' : 'last commit']);
      expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toContain(isNew ? 'clave' : 'old key');
    }
  });
});

test('a backup that fails removes the key that it wrote, and no other (OPS-03)', async () => {
  const t = await createTestApp({ ownApp: true });
  const { dataDir, databaseUrl } = t.context.config;
  const folder = emptyFolder();
  const file = join(folder, 'copia');
  const env = { DATA_DIR: dataDir, ...(databaseUrl !== null && { DATABASE_URL: `${databaseUrl}_missing` }) };
  const database = join(dataDir, DATABASE_FILE);
  if (databaseUrl === null) {
    await t.app.close();
    await t.db.destroy();
    const bytes = readFileSync(database);
    writeFileSync(database, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 7)]));
  }
  writeFileSync(`${file}.4000001.tmp`, 'half a copy, of a backup that was killed');
  expect((await runCopy('backup', env, file)).code).toBe(1);
  expect(names(folder).filter((name) => name.endsWith('.key'))).toEqual([]);
  copyFileSync(join(dataDir, 'secret.key'), `${file}.key`);
  expect((await runCopy('backup', env, file)).code).toBe(1);
  expect(names(folder).filter((name) => name.endsWith('.key'))).toEqual(['copia.key']);
});

test('temporary folders of killed commands are removed, and those in use stay (OPS-03)', async () => {
  const temporary = emptyFolder();
  const [left, used, young, foreign] = [
    'lm-restore-aaaaaa',
    'lm-restore-bbbbbb',
    'lm-restore-cccccc',
    'lm-other',
  ].map((name) => join(temporary, name)) as [string, string, string, string];
  const make = () => {
    for (const folder of [left, used, young, foreign]) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'copia.sqlite'), 'a whole copy');
    }
    for (const folder of [left, used, foreign])
      utimesSync(folder, new Date('2026-01-01'), new Date('2026-01-01'));
  };
  make();
  const lock = lockDataDir(used, new Date(), 'UTC');
  onTestFinished(() => lock.release());
  make();
  const t = await createTestApp();
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  t.clock.set(new Date());
  await runJob(t.context, housekeepingJob);
  expect(names(temporary)).toEqual(['lm-other', 'lm-restore-bbbbbb', 'lm-restore-cccccc']);
});

test.runIf(onPostgres)(
  'a restore into PostgreSQL that is killed leaves the old rows, and the next one removes its temporary copy (OPS-03)',
  async () => {
    const t = await createTestApp();
    await createLicense(t);
    const env = { ...(await engineEnv('postgres')), DATA_DIR: emptyFolder(), TMPDIR: emptyFolder() };
    const dump = join(emptyFolder(), 'dump');
    const own = { DATABASE_URL: t.context.config.databaseUrl ?? '', DATA_DIR: t.context.config.dataDir };
    expect((await runCopy('backup', own, dump)).code).toBe(0);
    expect((await runCopy('restore', env, dump)).code).toBe(0);
    const before = await contentOf(env);
    await untilUnused(env);
    const file = join(emptyFolder(), 'copia');
    const small = openDatabase({ kind: 'sqlite', file }, () => {});
    await migrate(small).finally(() => small.destroy());
    const child = startCopy('restore', env, file, '--replace');
    const left = () => names(env.TMPDIR).filter((name) => name.startsWith('lm-restore-'));
    while (child.exitCode === null && left().length === 0) await setTimeout(2);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(left()).toHaveLength(1);
    expect(await contentOf(env)).toEqual(before);
    const old = new Date('2026-01-01');
    utimesSync(join(env.TMPDIR, left()[0]!), old, old);
    // The server ends the transaction of the killed process when it notices that it is gone.
    await untilUnused(env);
    expect(await runCopy('restore', env, dump, '--replace')).toMatchObject({ code: 0 });
    expect(left()).toEqual([]);
    expect(await contentOf(env)).toEqual(before);
  },
);
