import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createLicense } from '../../../test/factories.ts';
import { insertOldSeats, runFold, unfold } from '../../../test/older-rows.ts';
import { runJob } from '../../../test/run-job.ts';
import { isFolded } from '../../db/folds.ts';
import { foldMachineIdsJob } from './fold-machine-ids-job.ts';

const isPostgres = process.env.TEST_ENGINE === 'postgres';
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
    const webhook = { url: 'https://93.184.216.34/', types: ['installation.released'] };
    expect((await t.call('POST', '/licenses/api/webhooks/', { body: webhook })).status).toBe(201);
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

  test('a program finds its seat before and while its row is filled, and never takes a second one', async () => {
    const { t, license } = await older();
    await insertOldSeats(t, license.id, [
      { machine_id: SPELLINGS[0], at: '2026-11-01T10:00:00.000Z' },
      { machine_id: 'Caja-01', at: '2026-11-01T10:00:00.000Z' },
    ]);
    const send = (path: string, machine_id: string) =>
      t.call('POST', `/licenses/api/${path}/`, {
        token: null,
        body: { license_key: license.license_key, machine_id, require_seat: true },
      });
    expect((await send('license/validate', SPELLINGS[0])).body.valid).toBe(true);
    expect((await send('installation/heartbeat', 'Caja-01')).status).toBe(200);
    expect((await send('installations', 'Caja-01')).status).toBe(200);
    // Without its key the row is found by the exact text alone.
    expect((await send('license/validate', SPELLINGS[1])).body.valid).toBe(false);
    expect((await send('installations', SPELLINGS[1])).status).toBe(201);
    await runJob(t.context, foldMachineIdsJob);
    for (const spelling of SPELLINGS) {
      expect((await send('license/validate', spelling)).body.valid).toBe(true);
      expect((await send('installations', spelling)).status).toBe(200);
    }
    await fold(t);
    for (const spelling of SPELLINGS)
      expect((await send('installation/heartbeat', spelling)).status).toBe(200);
    expect(await seatsOf(t)).toHaveLength(2);
    expect(await countOf(t, license.id)).toBe(2);
  });

  test('a run that was killed half-way is gone on with, and what it did stays', async () => {
    const { t, license } = await older();
    const many = Array.from({ length: 1800 }, (_, index) => ({
      machine_id: `${index % 2 === 0 ? 'PC' : 'pc'}-${Math.floor(index / 2)}`,
      at: '2026-11-01T10:00:00.000Z',
    }));
    await t.db
      .transaction()
      .execute((tx) => insertOldSeats({ ...t, db: tx as typeof t.db }, license.id, many));
    const stop = new AbortController();
    const left = () =>
      seatsOf(t).then((rows) => rows.filter(({ machine_key }) => machine_key === null).length);
    // Stopped in the middle of a transaction, which is then rolled back, as in a kill.
    const killed = { ...t.context, now: () => (stop.signal.aborted ? fail() : t.context.now()) };
    const fail = (): Date => {
      throw new Error('killed');
    };
    const half = t.db.updateTable('installations').set({ machine_key: sql`lower(machine_id)` });
    await half.where('id', '<=', 500).where(sql<boolean>`id % 2 = 1`).execute();
    stop.abort();
    await expect(runJob(killed, foldMachineIdsJob)).rejects.toThrow('killed');
    expect(await left()).toBe(1550);
    await fold(t);
    expect(await seatsOf(t)).toHaveLength(900);
    expect(await countOf(t, license.id)).toBe(900);
    expect(await isFolded(t.db, 'machine_ids')).toBe(true);
  });

  test('rows that an older replica writes meanwhile are found before it ends', async () => {
    const { t, license } = await older();
    await insertOldSeats(t, license.id, [{ machine_id: SPELLINGS[0], at: '2026-11-01T10:00:00.000Z' }]);
    await runJob(t.context, foldMachineIdsJob);
    t.clock.advance(61_000);
    await runJob(t.context, foldMachineIdsJob);
    await insertOldSeats(t, license.id, [
      { machine_id: SPELLINGS[1], at: '2026-11-21T18:01:00.000Z' },
      { machine_id: 'Caja-01', at: '2026-11-21T18:01:00.000Z' },
    ]);
    t.clock.advance(61_000);
    // Its second look finds them, so it looks twice again.
    expect(await fold(t)).toBe(3);
    expect((await seatsOf(t)).map(({ machine_id, machine_key }) => [machine_id, machine_key])).toEqual([
      [SPELLINGS[1], UUID],
      ['Caja-01', 'caja-01'],
    ]);
    expect(await countOf(t, license.id)).toBe(2);
  });

  test('two passes that find nothing count only a minute apart', async () => {
    const { t } = await older();
    for (let run = 0; run < 5; run += 1) {
      await runJob(t.context, foldMachineIdsJob);
      t.clock.advance(10_000);
    }
    expect(await isFolded(t.db, 'machine_ids')).toBe(false);
    t.clock.advance(20_000);
    await runJob(t.context, foldMachineIdsJob);
    const { ended_at } = await t.db.selectFrom('folds').select('ended_at').executeTakeFirstOrThrow();
    expect(ended_at).not.toBeNull();
  });

  test.runIf(isPostgres)(
    'an index that a killed build left, and two rows that are one machine, do not stop the end',
    async () => {
      const { t, license } = await older();
      await insertOldSeats(t, license.id, [
        { machine_id: SPELLINGS[0], at: '2026-11-01T10:00:00.000Z' },
        { machine_id: SPELLINGS[1], at: '2026-11-02T10:00:00.000Z' },
      ]);
      await sql`update installations set machine_key = ${UUID}`.execute(t.db);
      await expect(
        sql`create unique index concurrently installations_by_machine_key
        on installations (machine_key, license_id) where machine_key is not null`.execute(t.db),
      ).rejects.toThrow();
      await fold(t);
      expect(await seatsOf(t)).toMatchObject([{ machine_id: SPELLINGS[1] }]);
      expect(await countOf(t, license.id)).toBe(1);
    },
  );

  test('of trials of one machine the older stays, and released seats get their key', async () => {
    const { t, license } = await older();
    const other = await createLicense(t);
    for (const [machine, id] of [
      [SPELLINGS[1], other.id],
      [SPELLINGS[0], license.id],
      ['Caja-01', other.id],
    ] as const) {
      await sql`insert into trials (code, machine_id, license_id) values ('caja', ${machine}, ${id})`.execute(
        t.db,
      );
    }
    await sql`insert into released_seats (license_id, machine_id, holds_until)
      values (${license.id}, ${SPELLINGS[0]}, '2027-01-01T00:00:00.000Z')`.execute(t.db);
    await fold(t);
    const trials = await t.db.selectFrom('trials').selectAll().orderBy('license_id').execute();
    expect(trials).toEqual([
      { code: 'caja', machine_id: SPELLINGS[0], machine_key: UUID, license_id: license.id },
      { code: 'caja', machine_id: 'Caja-01', machine_key: 'caja-01', license_id: other.id },
    ]);
    const released = await t.db.selectFrom('released_seats').select('machine_key').execute();
    expect(released).toEqual([{ machine_key: UUID }]);
  });
});
