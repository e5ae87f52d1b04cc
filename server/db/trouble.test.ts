import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApp } from '../../test/app.ts';
import { createClient } from '../../test/factories.ts';
import { buildApp } from '../app.ts';
import { DATABASE_FILE, engineOf, openDatabase } from './open.ts';
import { isDamage, troubleOf } from './trouble.ts';

const coded = (code: string) => Object.assign(new Error('x'), { code });

test('known errors of files, SQLite and PostgreSQL are explained with cause and remedy, others are not (OPS-01)', () => {
  expect(troubleOf(coded('EROFS'))).toMatchObject({
    message: 'La carpeta de datos está en un disco de solo lectura.',
    remedy: expect.stringContaining('DATA_DIR'),
  });
  expect(troubleOf(coded('SQLITE_CORRUPT_INDEX'))?.message).toBe(
    'El archivo de la base de datos está dañado.',
  );
  expect(troubleOf(coded('28P01'))?.message).toContain('contraseña');
  expect(troubleOf(coded('55P03'))?.remedy).toContain('pg_dump');
  // A host name with two addresses, neither of which answers.
  expect(troubleOf(new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]))?.message).toContain(
    'no responde',
  );
  expect(troubleOf(coded('SQLITE_CORRUPTED'))).toBeNull();
  expect(troubleOf(new TypeError('x'))).toBeNull();
  expect([isDamage(coded('SQLITE_NOTADB')), isDamage(coded('SQLITE_FULL'))]).toEqual([true, false]);
});

test.runIf(process.env.TEST_ENGINE === 'sqlite')(
  'a database file that is found damaged makes health answer 503 with the remedy (D036, OPS-01)',
  async () => {
    const t = await createTestApp();
    for (let n = 0; n < 40; n += 1) await createClient(t);
    const file = join(t.context.config.dataDir, DATABASE_FILE);
    const direct = new Database(file);
    direct.pragma('wal_checkpoint(truncate)');
    const { rootpage } = direct
      .prepare("select rootpage from sqlite_master where name = 'clients'")
      .get() as { rootpage: number };
    const size = direct.pragma('page_size', { simple: true }) as number;
    direct.close();
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, Buffer.alloc(size, 0xff), 0, size, (rootpage - 1) * size);
    closeSync(descriptor);

    // A second database object, like a process that has not read the damaged page yet.
    const db = openDatabase(engineOf(t.context.config), () => {});
    const app = await buildApp({ ...t.context, db });
    onTestFinished(async () => {
      await app.close();
      await db.destroy();
    });
    const sound = await app.inject({ url: '/api/health/' });
    expect([sound.statusCode, sound.json()]).toEqual([
      200,
      expect.not.objectContaining({ problem: expect.anything() }),
    ]);
    const headers = { authorization: `Bearer ${t.token}` };
    expect((await app.inject({ url: '/licenses/api/clients/', headers })).statusCode).toBe(500);
    const damaged = await app.inject({ url: '/api/health/' });
    expect([damaged.statusCode, damaged.json()]).toEqual([
      503,
      expect.objectContaining({
        database: 'error',
        problem: expect.stringMatching(/^El archivo de la base de datos está dañado\. Detén el servidor/),
      }),
    ]);
  },
);
