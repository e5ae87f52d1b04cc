import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startCluster } from './cluster.ts';
import { createDatabase, templateDatabase } from './databases.ts';
import { takeDatabase } from './pooled-databases.ts';

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('The condition did not come true within 15 s.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('each database is separate and is removed by drop', async () => {
  const first = await createDatabase();
  const second = await createDatabase();
  await query(first.url, 'create table notes (body text)');
  expect(await query(second.url, "select to_regclass('notes') as notes")).toEqual([{ notes: null }]);

  await Promise.all([first.drop(), second.drop()]);
  await expect(query(first.url, 'select 1')).rejects.toThrow(/does not exist/);
});

test('concurrent calls fill a template once', async () => {
  let filled = 0;
  const fill = async (url: string) => {
    filled += 1;
    await query(url, "create table notes (body text); insert into notes values ('hola')");
  };
  await Promise.all(Array.from({ length: 4 }, () => templateDatabase('template_once', fill)));
  expect(filled).toBe(1);

  const copy = await createDatabase({ template: 'template_once' });
  onTestFinished(copy.drop);
  expect(await query(copy.url, 'select body from notes')).toEqual([{ body: 'hola' }]);
});

/** A template with a table that has rows, one without, a trigger and its function. */
async function lendingTemplate(): Promise<string> {
  const name = 'template_pooled';
  await templateDatabase(name, async (url) => {
    await query(url, "create table kinds (name text); insert into kinds values ('demo')");
    await query(url, 'create table notes (id integer primary key generated always as identity, body text)');
    await query(url, "create function refuse() returns trigger language plpgsql as 'begin return null; end'");
    await query(
      url,
      'create trigger never before delete on notes for each row when (false) execute function refuse()',
    );
  });
  return name;
}

test('a database that was returned is used again after it was emptied', async () => {
  const name = await lendingTemplate();
  const first = await takeDatabase(name);
  await query(first.url, "insert into notes (body) values ('hola'); delete from kinds");
  await first.drop();

  const second = await takeDatabase(name);
  onTestFinished(second.drop);
  expect(second.name).toBe(first.name);
  expect(await query(second.url, 'select * from kinds')).toEqual([{ name: 'demo' }]);
  expect(await query(second.url, "insert into notes (body) values ('otra') returning id")).toEqual([
    { id: 1 },
  ]);
});

test.each([
  ['a new column', 'alter table notes add column author text'],
  ['a new index', 'create index notes_by_body on notes (body)'],
  ['a disabled trigger', 'alter table notes disable trigger never'],
  ['a dropped trigger', 'drop trigger never on notes'],
  [
    'a changed function',
    "create or replace function refuse() returns trigger language plpgsql as 'begin return old; end'",
  ],
  ['statistics', "insert into notes (body) values ('hola'); analyze notes"],
])('a database that was returned with %s is dropped', async (_what, change) => {
  const name = await lendingTemplate();
  const first = await takeDatabase(name);
  await query(first.url, change);
  await first.drop();

  const second = await takeDatabase(name);
  onTestFinished(second.drop);
  expect(second.name).not.toBe(first.name);
  await expect(query(first.url, 'select 1')).rejects.toThrow(/does not exist/);
});

test('a template whose filling failed is removed', async () => {
  await expect(
    templateDatabase('template_broken', () => Promise.reject(new Error('half-way'))),
  ).rejects.toThrow('half-way');
  await templateDatabase('template_broken', (url) =>
    query(url, 'create table notes (body text)').then(() => undefined),
  );
  const copy = await createDatabase({ template: 'template_broken' });
  onTestFinished(copy.drop);
  expect(await query(copy.url, 'select body from notes')).toEqual([]);
});

test('a cluster does not lose committed rows in a crash, and stop removes its processes and files', async () => {
  const cluster = await startCluster();
  onTestFinished(cluster.stop);
  const pid = Number(readFileSync(join(cluster.directory, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  expect(await query(cluster.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
  await query(cluster.url, "create table notes (body text); insert into notes values ('hola')");

  await cluster.crash();
  await expect(query(cluster.url, 'select 1')).rejects.toThrow();
  await cluster.start();
  expect(await query(cluster.url, 'select body from notes')).toEqual([{ body: 'hola' }]);

  await cluster.stop();
  expect(isAlive(pid)).toBe(false);
  expect(existsSync(cluster.directory)).toBe(false);
});

test('a cluster ends with the process that started it, even after kill -9', async () => {
  const program = `
    import { startCluster } from './test/postgres/cluster.ts';
    const { directory } = await startCluster({ fsync: false });
    console.log(directory);
    setInterval(() => {}, 1000);`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const directory = await new Promise<string>((resolve, reject) => {
    owner.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    owner.once('exit', (code) => reject(new Error(`The owner ended early, with code ${code}.`)));
  });
  const pid = Number(readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  expect(isAlive(pid)).toBe(true);

  owner.kill('SIGKILL');
  await until(() => !existsSync(directory));
  expect(isAlive(pid)).toBe(false);
});
