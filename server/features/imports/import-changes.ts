import { isDeepStrictEqual } from 'node:util';
import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import { isAmong } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';

/** What a run writes is noted beside the rows, so that the import can be undone (INPUT-07). */

/** The columns of a record that a run changed, with their values before. */
type Values = Record<string, unknown>;

/** A record as it was before: for a licence also its terms, each with its id. */
export type Before = { values: Values; terms?: Values[] };

/** A record that a run wrote. `before` is null if the run created it. */
export type Change = {
  part: number;
  row: number;
  position: number;
  kind: ImportKind;
  id: number;
  version: string;
  before: Before | null;
};

type Image = { record: Values; terms: Values[] };

/** Reads records with all their columns. */
const readRecords = (tx: Db, kind: ImportKind, ids: number[]) =>
  // The cast is safe: each of the tables has the column, but Kysely's types do not support a union of tables.
  tx
    .selectFrom(kind as 'clients')
    .selectAll()
    .where((eb) => isAmong(tx, eb.ref('id'), ids))
    .execute();

async function imagesOf(tx: Db, kind: ImportKind, ids: number[]): Promise<Map<number, Image>> {
  if (ids.length === 0) return new Map();
  const records = await readRecords(tx, kind, ids);
  const terms =
    kind === 'licenses'
      ? await tx
          .selectFrom('license_terms')
          .selectAll()
          .where((eb) => isAmong(tx, eb.ref('license_id'), ids))
          .orderBy('id')
          .execute()
      : [];
  const termsOf = Map.groupBy(terms, ({ license_id }) => license_id);
  return new Map(records.map((record) => [record.id, { record, terms: termsOf.get(record.id) ?? [] }]));
}

/** The versions of records, by kind. */
async function versionsOf(
  tx: Db,
  written: readonly { kind: ImportKind; id: number }[],
): Promise<(one: { kind: ImportKind; id: number }) => string> {
  const versions = new Map<ImportKind, Map<number, unknown>>();
  for (const [kind, ofKind] of Map.groupBy(written, (one) => one.kind)) {
    const rows = await tx
      // The cast is safe: each of the tables has the columns, but Kysely's types do not support a union of tables.
      .selectFrom(kind as 'clients')
      .select(['id', 'updated_at'])
      .where((eb) =>
        isAmong(
          tx,
          eb.ref('id'),
          ofKind.map(({ id }) => id),
        ),
      )
      .execute();
    versions.set(kind, new Map(rows.map((row) => [row.id, row.updated_at])));
  }
  return ({ kind, id }) => String(versions.get(kind)?.get(id));
}

/** Columns that are not given back: the version, what is made of other columns, and what belongs to seats. */
const NOT_GIVEN_BACK = ['updated_at', 'search_text', 'current_installations'];

/** The values before of the columns that differ. */
const changedFrom = (before: Values, after: Values | undefined): Values =>
  Object.fromEntries(
    Object.entries(before).filter(
      ([column, value]) => !NOT_GIVEN_BACK.includes(column) && !isDeepStrictEqual(value, after?.[column]),
    ),
  );

function beforeOf(image: Image, after: Image): Before {
  const now = new Map(after.terms.map((term) => [term.id, term]));
  const terms = image.terms.flatMap((term) => {
    const changed = changedFrom(term, now.get(term.id));
    return Object.keys(changed).length === 0 ? [] : [{ id: term.id, ...changed }];
  });
  return { values: changedFrom(image.record, after.record), ...(terms.length > 0 && { terms }) };
}

/** Records what the run of some rows writes, in one transaction. */
export class ChangeLog {
  readonly #tx: Db;
  readonly #kind: ImportKind;
  readonly #written: { row: number; kind: ImportKind; id: number }[] = [];
  #images = new Map<number, Image>();

  constructor(tx: Db, kind: ImportKind) {
    this.#tx = tx;
    this.#kind = kind;
  }

  /** Remembers records as they are before the run changes them. */
  async remember(ids: number[]): Promise<void> {
    this.#images = await imagesOf(this.#tx, this.#kind, ids);
  }

  /** Records what a row changed or created. */
  wrote(row: number, id: number, kind: ImportKind = this.#kind): void {
    this.#written.push({ row, kind, id });
  }

  /**
   * Stores the notes of an import, behind its earlier ones.
   * @param position the position of the chunk of these rows
   */
  async store(importId: number, position: number): Promise<void> {
    if (this.#written.length === 0) return;
    const tx = this.#tx;
    // Of a record that was created nothing is given back, so its version is enough.
    const changed = this.#written.filter(({ kind, id }) => kind === this.#kind && this.#images.has(id));
    const after = await imagesOf(
      tx,
      this.#kind,
      changed.map(({ id }) => id),
    );
    const versionOf = await versionsOf(tx, this.#written);
    const { last } = await tx
      .selectFrom('import_changes')
      .select((eb) => eb.fn.coalesce(eb.fn.max('part'), eb.lit(0)).as('last'))
      .where('import_id', '=', importId)
      .executeTakeFirstOrThrow();
    const values = this.#written.map(({ row, kind, id }, index) => {
      const image = kind === this.#kind ? this.#images.get(id) : undefined;
      return {
        import_id: importId,
        part: last + 1 + index,
        row,
        position,
        kind,
        record_id: id,
        version: versionOf({ kind, id }),
        before: image ? JSON.stringify(beforeOf(image, after.get(id)!)) : null,
      };
    });
    await tx.insertInto('import_changes').values(values).execute();
  }
}

/**
 * Some records that an import wrote, the last first.
 * @param below only those with a smaller `part`
 */
export async function listChanges(db: Db, importId: number, below: number, limit: number): Promise<Change[]> {
  const rows = await db
    .selectFrom('import_changes')
    .selectAll()
    .where('import_id', '=', importId)
    .where('part', '<', below)
    .orderBy('part', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ part, row, position, kind, record_id, version, before }) => ({
    part,
    row,
    position,
    kind,
    id: record_id,
    version,
    before: before === null ? null : (JSON.parse(before) as Before),
  }));
}

/** How many records an import wrote. */
export async function countChanges(db: Db, importId: number): Promise<number> {
  const { count } = await db
    .selectFrom('import_changes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('import_id', '=', importId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Those of some records that the import wrote. */
export async function writtenAmong(
  db: Db,
  importId: number,
  kind: ImportKind,
  ids: number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('import_changes')
    .select('record_id')
    .where('kind', '=', kind)
    .where((eb) => isAmong(db, eb.ref('record_id'), ids))
    .where('import_id', '=', importId)
    .execute();
  return new Set(rows.map(({ record_id }) => record_id));
}

export async function deleteChanges(db: Db, importId: number, parts: number[]): Promise<void> {
  await db
    .deleteFrom('import_changes')
    .where('import_id', '=', importId)
    .where((eb) => isAmong(db, eb.ref('part'), parts))
    .execute();
}

/** Notes that are deleted in one statement. */
const DELETED_AT_ONCE = 1000;

/** Deletes the notes of imports that can no longer be undone. */
export async function deletePastChanges(db: Db, now: Date): Promise<void> {
  const past = await db
    .selectFrom('imports')
    .select('id')
    .where('undo_until', '<', now.toISOString())
    .where('state', 'not in', ['waiting', 'running'])
    .execute();
  for (const { id } of past) {
    for (;;) {
      const changes = await db
        .selectFrom('import_changes')
        .select('part')
        .where('import_id', '=', id)
        .limit(DELETED_AT_ONCE)
        .execute();
      if (changes.length === 0) break;
      await deleteChanges(
        db,
        id,
        changes.map(({ part }) => part),
      );
    }
  }
}
