import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyDatabase, openForTest } from '../../../test/empty-database.ts';
import { migrateTo, RELEASED } from '../../../test/released.ts';
import { describeSchema } from '../../../test/schema.ts';
import { migrate } from '../open.ts';
import { BASELINE } from './baseline.ts';
import { migrationFiles } from './index.ts';

const textOf = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');

test('each migration is one SQL file, one file for each engine, or code without imports from this project', () => {
  for (const [name, files] of migrationFiles()) {
    if (files.length === 2) {
      expect(files).toEqual([`${name}.postgres.sql`, `${name}.sqlite.sql`]);
      continue;
    }
    if (files[0] === `${name}.sql`) {
      expect(files).toHaveLength(1);
      continue;
    }
    expect(files).toEqual([`${name}.ts`]);
    expect(textOf(`${name}.ts`)).not.toMatch(/from '\.|import\(/);
  }
});

test('the baseline has the same tables, columns and indexes for both engines, in the same order', () => {
  const [sqlite, postgres] = ['sqlite', 'postgres'].map((engine) => {
    const statements = textOf(`${BASELINE}.${engine}.sql`).matchAll(
      /^create (?:unique )?(table|index) (\w+)|^ {2}(\w+) (?:text|integer|bigint|real|double|boolean|timestamptz)(?!.*:=)/gm,
    );
    return [...statements].map(([, kind, name, column]) => (kind ? `${kind} ${name}` : column!));
  });
  // Texts are indexed by a table on SQLite and by an index on PostgreSQL; a table of SQLite is the index of its ids.
  // SQLite could not let a column be null, so it has `starts` of a term anew, at another place.
  const own = /_search_(pending|index)$|^index licenses_creation_by_id$|^starts$/;
  const without = (parts: string[]) =>
    parts.filter(
      (part, at) => !own.test(part) && !(part === 'id' && /_search_pending$/.test(parts[at - 1]!)),
    );
  expect(without(sqlite!).length).toBeGreaterThan(800);
  expect(without(postgres!)).toEqual(without(sqlite!));
});

test('a released migration is never changed', () => {
  const now = Object.fromEntries(
    readdirSync(import.meta.dirname)
      .filter((file) => /^\d{3}-/.test(file))
      .map((file) => [file, createHash('sha256').update(textOf(file)).digest('hex')]),
  );
  // 0.3.0 has no files here: what it made is what the baseline makes (test/faults/upgrade.fault.ts).
  expect(RELEASED.length).toBeGreaterThan(0);
  for (const { files } of RELEASED) expect(now).toMatchObject(files);
});

test('a stop after each migration and a restart give the same schema as a fresh installation', async () => {
  const fresh = openForTest(await emptyDatabase());
  await migrate(fresh);
  // One database stops after each, instead of one for each stop, which takes 60 times as long.
  const stopped = openForTest(await emptyDatabase());
  for (const name of migrationFiles().keys()) await migrateTo(stopped, name);
  expect(await describeSchema(stopped)).toEqual(await describeSchema(fresh));
});
