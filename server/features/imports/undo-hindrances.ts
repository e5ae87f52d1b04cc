import type { RowError } from '../../../contract/base/errors.ts';
import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import { IMPORT_MESSAGES } from '../../../contract/imports/imports.ts';
import { isAmong } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { paidAmong } from '../../rules/paid-licenses.ts';
import { type Change, writtenAmong } from './import-changes.ts';

/** Finds what prevents that records of an import are put back to what they were (INPUT-07). */

/** Why a record stays as it is. */
export type Hindrance = Omit<RowError, 'row'>;

const because = (code: string, message: string, field: string | null = null): Hindrance => ({
  field,
  code,
  message,
});

const CHANGED = because('stale', IMPORT_MESSAGES.changedSince);
const GONE = because('not_found', IMPORT_MESSAGES.goneSince);
const PAID = because('has_payments', IMPORT_MESSAGES.paidSince);
const SEAT = because('in_use', IMPORT_MESSAGES.seatSince);
const MAIL = because('in_use', IMPORT_MESSAGES.mailSince);
const SIGNED_IN = because('in_use', IMPORT_MESSAGES.signedInSince);
const NOTE = because('in_use', IMPORT_MESSAGES.noteSince);
const USED = because('in_use', IMPORT_MESSAGES.usedSince);

/** The columns that refer to another record: the table, and the field in an error. */
const REFERENCES = {
  client_id: ['clients', 'client'],
  software_id: ['software', 'software'],
  license_type_id: ['license_types', 'license_type_config'],
  trial_type_id: ['license_types', 'trial_type'],
} as const;

/**
 * The hindrances of some records that an import wrote, by their `part`. A created record that somebody has deleted
 * since has none. What prevents a deletion does not prevent that a changed record gets its earlier values.
 */
export async function hindrancesOf(
  db: Db,
  importId: number,
  changes: readonly Change[],
  now: Date,
): Promise<Map<number, Hindrance>> {
  const found = new Map<number, Hindrance>();
  for (const [kind, ofKind] of Map.groupBy(changes, (change) => change.kind)) {
    const created = idsOf(ofKind.filter(({ before }) => before === null));
    // The more telling ones first: what was paid was also changed.
    const tests = [
      await deletionTest(db, importId, kind, created, now),
      await versionTest(db, kind, ofKind),
      await takenTest(db, importId, kind, ofKind),
      await referenceTest(db, ofKind),
    ];
    for (const change of ofKind) {
      for (const test of tests) {
        const hindrance = test(change);
        if (!hindrance) continue;
        found.set(change.part, hindrance);
        break;
      }
    }
  }
  return found;
}

type Test = (change: Change) => Hindrance | undefined;

const idsOf = (changes: readonly Change[]) => changes.map(({ id }) => id);

async function versionTest(db: Db, kind: ImportKind, changes: readonly Change[]): Promise<Test> {
  const rows = await db
    // The cast is safe: each of the tables has the columns, but Kysely's types do not support a union of tables.
    .selectFrom(kind as 'clients')
    .select(['id', 'updated_at'])
    .where((eb) => isAmong(db, eb.ref('id'), idsOf(changes)))
    .execute();
  const versions = new Map(rows.map(({ id, updated_at }) => [id, updated_at]));
  return ({ id, version, before }) => {
    const is = versions.get(id);
    if (is === undefined) return before === null ? undefined : GONE;
    return is === version ? undefined : CHANGED;
  };
}

/** @param ids those that the import created */
async function deletionTest(
  db: Db,
  importId: number,
  kind: ImportKind,
  ids: number[],
  now: Date,
): Promise<Test> {
  if (ids.length === 0) return () => undefined;
  if (kind === 'licenses') {
    const paid = await paidAmong(db, ids);
    const seats = await db
      .selectFrom('licenses')
      .select('id')
      .where('current_installations', '>', 0)
      .where((eb) => isAmong(db, eb.ref('id'), ids))
      .execute();
    const used = new Set(seats.map(({ id }) => id));
    const withNote = await withNoteAmong(db, 'license_id', ids);
    const mailed = await mailedAmong(db, 'license_id', ids, now);
    return ({ id, before }) => {
      if (before) return undefined;
      if (paid.has(id)) return PAID;
      if (used.has(id)) return SEAT;
      return withNote.has(id) ? NOTE : mailed.has(id) ? MAIL : undefined;
    };
  }
  const used = await usedAmong(db, importId, kind === 'clients' ? 'client_id' : 'software_id', ids);
  if (kind === 'software') return ({ id, before }) => (before === null && used.has(id) ? USED : undefined);
  const withNote = await withNoteAmong(db, 'client_id', ids);
  const mailed = await mailedAmong(db, 'client_id', ids, now);
  const signedIn = await db
    .selectFrom('clients')
    .select('id')
    .where('portal_last_sign_in', 'is not', null)
    .where((eb) => isAmong(db, eb.ref('id'), ids))
    .execute();
  const signedInIds = new Set(signedIn.map(({ id }) => id));
  return ({ id, before }) => {
    if (before) return undefined;
    if (used.has(id)) return USED;
    if (withNote.has(id)) return NOTE;
    return mailed.has(id) ? MAIL : signedInIds.has(id) ? SIGNED_IN : undefined;
  };
}

/** Those of some licences or clients about which somebody wrote a note. */
async function withNoteAmong(
  db: Db,
  column: 'license_id' | 'client_id',
  ids: number[],
): Promise<Set<number | null>> {
  const rows = await db
    .selectFrom('notes')
    .select(column)
    .distinct()
    .where((eb) => isAmong(db, eb.ref(column).$castTo<number>(), ids))
    .execute();
  return new Set(rows.map((row) => row[column]));
}

/** Those of some licences or clients that got a mail, or get one at this moment. */
async function mailedAmong(
  db: Db,
  column: 'license_id' | 'client_id',
  ids: number[],
  now: Date,
): Promise<Set<number | null>> {
  const rows = await db
    .selectFrom('outbox')
    .select(column)
    .distinct()
    .where((eb) => isAmong(db, eb.ref(column).$castTo<number>(), ids))
    .where((eb) => eb.or([eb('status', '=', 'sent'), eb('sending_until', '>', now.toISOString())]))
    .execute();
  return new Set(rows.map((row) => row[column]));
}

/** Those of some clients or software records that have licences which the import did not create. */
async function usedAmong(
  db: Db,
  importId: number,
  column: 'client_id' | 'software_id',
  ids: number[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('licenses')
    .select(column)
    .distinct()
    .where((eb) => isAmong(db, eb.ref(column), ids))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('import_changes')
            .select('part')
            .where('kind', '=', 'licenses')
            .whereRef('record_id', '=', 'licenses.id')
            .where('import_id', '=', importId),
        ),
      ),
    )
    .execute();
  return new Set(rows.map((row) => row[column]));
}

/** An earlier external id that another record has now, unless the import gave it that. */
async function takenTest(
  db: Db,
  importId: number,
  kind: ImportKind,
  changes: readonly Change[],
): Promise<Test> {
  const earlier = ({ before }: Change) => before?.values.external_id as string | null | undefined;
  const reused = changes.flatMap((change) => earlier(change) ?? []);
  if (reused.length === 0) return () => undefined;
  const holders = await db
    .selectFrom(kind as 'clients')
    .select(['id', 'external_id'])
    .where('external_id', 'in', reused)
    .execute();
  const own = await writtenAmong(
    db,
    importId,
    kind,
    holders.map(({ id }) => id),
  );
  const taken = new Set(holders.filter(({ id }) => !own.has(id)).map(({ external_id }) => external_id));
  const hindrance = because('taken', IMPORT_MESSAGES.takenSince, 'external_id');
  return (change) => (taken.has(earlier(change) ?? null) && earlier(change) ? hindrance : undefined);
}

/** An earlier client, software or licence type that was deleted since. */
async function referenceTest(db: Db, changes: readonly Change[]): Promise<Test> {
  const missing: { column: string; field: string; ids: Set<unknown> }[] = [];
  for (const [column, [table, field]] of Object.entries(REFERENCES)) {
    const ids = [
      ...new Set(
        changes.flatMap(({ before }) => (before?.values[column] as number | null | undefined) ?? []),
      ),
    ];
    if (ids.length === 0) continue;
    const rows = await db
      .selectFrom(table as 'clients')
      .select('id')
      .where((eb) => isAmong(db, eb.ref('id'), ids))
      .execute();
    const known = new Set(rows.map(({ id }) => id));
    missing.push({ column, field, ids: new Set(ids.filter((id) => !known.has(id))) });
  }
  return ({ before }) => {
    const found = missing.find(({ column, ids }) => ids.has(before?.values[column]));
    return found && because('unknown_reference', IMPORT_MESSAGES.missingSince, found.field);
  };
}
