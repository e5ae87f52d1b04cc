import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { DATABASE_FILE, migrate } from '../../server/db/open.ts';
import { contentOf, runCopy as run } from '../copy-commands.ts';
import { openForTest } from '../empty-database.ts';
import { emptyFolder } from '../empty-folder.ts';
import { engineEnv, SHARED } from '../faults/engines.ts';
import { insertFirstRows, makeSchemaBeforeBaseline } from '../released.ts';
import type { ServerEnv } from '../start-server.ts';

// Long, because each restore is a command of its own.
vi.setConfig({ testTimeout: 120_000 });

/** A copy as 0.3.0, or a version before it, made it. */
async function copyOf(upTo?: string) {
  const file = join(emptyFolder(), 'copia.sqlite');
  const db = openForTest({ kind: 'sqlite', file });
  await makeSchemaBeforeBaseline(db, upTo);
  return { file, db };
}

const openOf = ({ DATABASE_URL, DATA_DIR }: ServerEnv) =>
  openForTest(
    DATABASE_URL === undefined
      ? { kind: 'sqlite', file: join(DATA_DIR!, DATABASE_FILE) }
      : { kind: 'postgres', url: DATABASE_URL, pool: 2 },
  );

/** An installation whose data may be replaced. */
async function installed(): Promise<ServerEnv> {
  const engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite';
  const env = { ...(await engineEnv(engine)), ...SHARED, DATA_DIR: emptyFolder() };
  const db = openOf(env);
  await migrate(db);
  await insertFirstRows(db);
  await db.destroy();
  return env;
}

test('a copy of before 0.3.0, or of 0.3.0 with unfinished jobs, is refused before anything changes', async () => {
  const env = await installed();
  const content = await contentOf(env);
  const older = await copyOf('041-quicker-filters');
  const halfWay = await copyOf('102-recurring-revenue');
  for (const { file, db } of [older, halfWay]) {
    await db.destroy();
    expect(await run('restore', env, file, '--replace')).toEqual({
      code: 1,
      output:
        'La copia es de una versión anterior a la 0.3.0. Restaura primero con la versión 0.3.0, iníciala, deja que ' +
        'terminen sus trabajos (unos minutos) y después inicia esta. No se cambió nada.\n',
    });
  }
  const unfinished = await copyOf();
  await sql`update folds set ended_at = null where name = 'search_texts'`.execute(unfinished.db);
  await unfinished.db.destroy();
  const { code, output } = await run('restore', env, unfinished.file, '--replace');
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(
      /^La copia es de la versión 0\.3\.0, cuyos trabajos .*: «Textos de búsqueda»\. Restaura/,
    ),
  ]);
  expect(await contentOf(env)).toEqual(content);
});

test('a copy of 0.3.0 is restored, and the next start takes it over', async () => {
  const env = await installed();
  const { file, db } = await copyOf();
  await insertFirstRows(db);
  await db.destroy();
  expect(await run('restore', env, file, '--replace')).toMatchObject({ code: 0 });
  const restored = openOf(env);
  await migrate(restored);
  expect(await restored.selectFrom('installations').select(['machine_id', 'machine_key']).execute()).toEqual([
    { machine_id: 'Maquina-1', machine_key: 'maquina-1' },
  ]);
});
