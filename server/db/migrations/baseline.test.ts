import { type Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { emptyDatabase, openForTest } from '../../../test/empty-database.ts';
import { insertFirstRows, makeSchemaBeforeBaseline } from '../../../test/released.ts';
import { describeSchema, rowsOf } from '../../../test/schema.ts';
import { migrate, migrationState } from '../open.ts';
import type { Tables } from '../tables.ts';
import { BASELINE } from './baseline.ts';

async function databaseBefore(upTo?: string) {
  const engine = await emptyDatabase();
  const db = openForTest(engine);
  await makeSchemaBeforeBaseline(db, upTo);
  return { engine, db };
}

const namesOf = async (db: Kysely<Tables>) =>
  (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows.map(
    ({ name }) => name,
  );

const unmark = (db: Kysely<Tables>, job: string) =>
  sql`update folds set ended_at = null where name = ${job}`.execute(db);

describe('the baseline', () => {
  test('takes over a database of 0.3.0 with its rows, by two processes at once', async () => {
    const { engine, db } = await databaseBefore();
    await insertFirstRows(db);
    await sql`insert into jobs (kind, name, payload, run_at, created_at)
      values ('fold-machine-ids', 'fold-machine-ids', '{}', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`.execute(
      db,
    );
    const { jobs, ...rows } = await rowsOf(db);
    expect(jobs).toHaveLength(1);
    await Promise.all([migrate(db), migrate(openForTest(engine))]);
    expect(await namesOf(db)).toEqual([BASELINE]);
    expect(await migrationState(db)).toMatchObject({ applied: [BASELINE], missing: [], unknown: [] });
    expect(await rowsOf(db)).toEqual(rows);
    await migrate(db);
    expect(await namesOf(db)).toEqual([BASELINE]);
  });

  test('is refused for a database of an earlier version, or of a half-way migration to 0.3.0, which stays as it is', async () => {
    for (const last of ['041-quicker-filters', '102-recurring-revenue']) {
      const { db } = await databaseBefore(last);
      const [schema, names] = [await describeSchema(db), await namesOf(db)];
      await expect(migrate(db)).rejects.toThrow(
        'La base de datos es de una versión anterior a la 0.3.0. Inicia primero la versión 0.3.0 con ella, deja que ' +
          'terminen sus trabajos (unos minutos) y después inicia esta. No se cambió nada.',
      );
      expect([await describeSchema(db), await namesOf(db)]).toEqual([schema, names]);
    }
  });

  test('is refused until all jobs of 0.3.0 have ended, and names those that have not', async () => {
    const { db } = await databaseBefore();
    await unmark(db, 'machine_ids');
    await sql`delete from folds where name = 'payment_texts'`.execute(db);
    await expect(migrate(db)).rejects.toThrow(
      'La base de datos es de la versión 0.3.0, cuyos trabajos no han terminado: «Identificadores de equipos de antes», ' +
        '«Referencias de pagos». Inicia primero la versión 0.3.0',
    );
    expect(await namesOf(db)).not.toContain(BASELINE);
    await sql`update folds set ended_at = clean_at`.execute(db);
    await expect(migrate(db)).rejects.toThrow('no han terminado: «Referencias de pagos».');
    await sql`insert into folds (name, ended_at) values ('payment_texts', '2026-11-29T12:00:00.000Z')`.execute(
      db,
    );
    await migrate(db);
    expect(await namesOf(db)).toEqual([BASELINE]);
  });

  test('is refused where a machine has no key although the job has ended: 0.3.0 runs it again', async () => {
    const { db } = await databaseBefore();
    await insertFirstRows(db, null);
    await expect(migrate(db)).rejects.toThrow('no han terminado: «Identificadores de equipos de antes».');
    const marks = await sql<{ name: string }>`select name from folds order by name`.execute(db);
    expect(marks.rows.map(({ name }) => name)).toEqual(['payment_texts', 'search_texts']);
  });

  test('is refused for a schema of a newer version', async () => {
    const { db } = await databaseBefore();
    await sql`insert into kysely_migration values ('999-del-futuro', '2030-01-01T00:00:00.000Z')`.execute(db);
    await expect(migrate(db)).rejects.toThrow('de una versión más nueva del programa');
  });
});
