import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createLicense } from '../../../test/factories.ts';
import { insertOldSeats, runFold, unfold } from '../../../test/older-rows.ts';
import { runJob } from '../../../test/run-job.ts';
import { isUniqueViolation } from '../../db/dialect.ts';
import { isFolded } from '../../db/folds.ts';
import { foldMachineIdsJob } from './fold-machine-ids-job.ts';

const NOW = '2026-11-21T18:00:00.000Z';
const UUID = '4c4c4544004b4e10804cb4c04f4d5332';
const SPELLINGS = [
  '4C4C4544-004B-4E10-804C-B4C04F4D5332',
  '4c4c4544-004b-4e10-804c-b4c04f4d5332',
  '{4C4C4544-004B-4E10-804C-B4C04F4D5332}',
] as const;

async function older() {
  const t = await createTestApp({ now: NOW });
  await unfold(t);
  const license = await createLicense(t, { max_installations: 10 });
  return { t, license };
}

const fold = (t: TestApp) => runFold(t, 'machine_ids', foldMachineIdsJob);
const seatsOf = (t: TestApp) =>
  t.db
    .selectFrom('installations')
    .select(['machine_id', 'machine_key', 'token_until', 'file_until'])
    .orderBy('id')
    .execute();
const countOf = async (t: TestApp, id: number) =>
  (
    await t.db
      .selectFrom('licenses')
      .select('current_installations')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).current_installations;

describe('rows of older versions get the key of their machine', { tags: ['INPUT-09'] }, () => {
  test('seats that are one machine become one: the one heard last, with the later ends', async () => {
    const { t, license } = await older();
    await insertOldSeats(t, license.id, [
      {
        machine_id: SPELLINGS[0],
        machine_name: 'Primera',
        at: '2026-11-01T10:00:00.000Z',
        token_until: '2027-01-01T00:00:00.000Z',
      },
      {
        machine_id: SPELLINGS[1],
        machine_name: 'Última',
        at: '2026-11-03T10:00:00.000Z',
        file_until: '2026-12-01T00:00:00.000Z',
      },
      {
        machine_id: SPELLINGS[2],
        machine_name: 'Segunda',
        at: '2026-11-02T10:00:00.000Z',
        file_until: '2026-12-31T00:00:00.000Z',
      },
      { machine_id: 'Caja-01', at: '2026-11-02T10:00:00.000Z' },
    ]);
    await sql`insert into webhooks (name, url, event_types, secret, is_active, created_at, updated_at)
      values ('Todo', 'https://example.com/', '["*"]', 'x', ${process.env.TEST_ENGINE === 'postgres' ? sql`true` : sql`1`}, ${NOW}, ${NOW})`
      .execute(t.db)
      .catch(() => {});
    expect(await isFolded(t.db, 'machine_ids')).toBe(false);
    // Once to fill, and twice, a minute apart, to find nothing.
    expect(await fold(t)).toBe(3);
    expect(await seatsOf(t)).toEqual([
      {
        machine_id: SPELLINGS[1],
        machine_key: UUID,
        token_until: '2027-01-01T00:00:00.000Z',
        file_until: '2026-12-31T00:00:00.000Z',
      },
      { machine_id: 'Caja-01', machine_key: 'caja-01', token_until: null, file_until: null },
    ]);
    expect(await countOf(t, license.id)).toBe(2);
    const events = await t.db
      .selectFrom('events')
      .select(['type', 'actor_kind', 'subject_name', 'reason', 'license_id'])
      .where('type', '=', 'installation.released')
      .orderBy('id')
      .execute();
    expect(events).toEqual(
      ['Primera', 'Segunda'].map((subject_name) => ({
        type: 'installation.released',
        actor_kind: 'system',
        subject_name,
        reason: 'Mismo equipo',
        license_id: license.id,
      })),
    );
    expect(await t.db.selectFrom('webhook_deliveries').select('id').execute()).toEqual([]);
  });
});
