import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { isSameJson } from '../../contract/base/same-value.ts';
import type { Changes } from '../../contract/system/events.ts';
import type { Db } from '../db/tables.ts';
import { AppError, inUse, notFound, stale } from '../errors.ts';
import { mustExist } from '../lib/must-exist.ts';
import type { Scope } from '../scope.ts';
import { type About, changesBetween, type NewEvent, record } from './record-event.ts';
import { isExpected, nextVersion } from './version.ts';

/** The parts of a scope that are needed to read a record; no actor, and `tx` may be the database itself. */
export type ReadScope = Pick<Scope, 'tx' | 'now' | 'timeZone'>;

export type RecordKind<
  Row extends Versioned,
  Plain extends object,
  Answer extends object = Plain,
  Key = number,
> = {
  /** The first part of the types of its events, as in 'client.updated'. */
  name: Removable['name'] | 'user' | 'settings' | 'mail_template';
  table: 'clients' | 'software' | 'license_types' | 'licenses' | 'users' | 'webhooks' | OtherTable;
  /** The column that identifies a record. Default: `id`. */
  key?: string;
  /** The message of a 404. Absent for a record that always exists. */
  notFound?: string;
  /** The client that has the records of a missing one, because it was merged into it (MERGE-01). */
  mergedInto?: (tx: Db, key: Key) => Promise<number | null>;
  /** Reads rows and locks them until the transaction ends, in ascending order of id. */
  lock: (tx: Db, keys: Key[]) => Promise<Row[]>;
  find: (at: ReadScope, key: Key) => Promise<Plain | undefined>;
  /** The answer to a call for one record: the record with its related data. */
  complete: (at: ReadScope, plain: Plain) => Promise<Answer>;
  /** The writable values by their public names. An event's changes are computed from them. */
  written: (plain: Plain) => Record<string, unknown>;
  /** Computes the changes of an event where {@link written} does not contain all of them. */
  changes?: (before: Plain, after: Plain) => Changes;
  about: (plain: Plain) => About;
};

type OtherTable = 'notes' | 'settings' | 'vendor_logo' | 'mail_templates';

/** How to delete a kind of record that can be deleted. */
export type Removable = {
  name: 'client' | 'software' | 'license_type' | 'license' | 'webhook' | 'note';
  /** Deletes or ends related data that no foreign key deletes with the record. */
  removeBeside?: (scope: Scope, id: number) => Promise<unknown>;
  /**
   * For a kind to which licences refer: the column of the reference, and the noun for the record in the refusal
   * (D013).
   */
  usedBy?: { column: 'client_id' | 'software_id'; called: string };
  /** Refuses the deletion of a locked record by throwing. */
  refuseRemoval?: (tx: Db, id: number) => Promise<void>;
};

/** The 404 of a record that does not exist, with the client into which it was merged. */
export async function gone<Key>(
  tx: Db,
  {
    notFound: message,
    mergedInto,
  }: Pick<RecordKind<Versioned, object, object, Key>, 'notFound' | 'mergedInto'>,
  key: Key,
): Promise<AppError> {
  const into = (await mergedInto?.(tx, key)) ?? null;
  if (into === null) return notFound(message);
  return new AppError(404, 'not_found', { ...(message !== undefined && { message }), mergedInto: into });
}

type Versioned = { updated_at: string };
type LockedRecord<Row, Plain, Key> = { key: Key; row: Row; plain: Plain };

/**
 * Locks a record until the transaction ends, if its version is one that the caller expects.
 * @throws notFound (404), stale (412) with the current record
 */
async function lockRecord<Row extends Versioned, Plain extends object, Answer extends object, Key>(
  scope: Scope,
  kind: RecordKind<Row, Plain, Answer, Key>,
  key: Key,
): Promise<LockedRecord<Row, Plain, Key>> {
  const [row] = await kind.lock(scope.tx, [key]);
  const plain = row && (await kind.find(scope, key));
  if (!row || !plain) throw await gone(scope.tx, kind, key);
  if (!isExpected(scope, row.updated_at)) throw stale(await kind.complete(scope, plain));
  return { key, row, plain };
}

/** The type and reason of a change's event; the rest follows from the record. */
type ChangeEvent = Pick<NewEvent, 'type' | 'reason'>;

/**
 * Stores a change of a locked record, and its event. If a save changes no column, the version stays the same and no
 * event is written. An action (with `event`) always writes its event.
 * @returns the record as stored
 */
async function saveLocked<Row extends Versioned, Plain extends object, Answer extends object, Key>(
  scope: Scope,
  kind: RecordKind<Row, Plain, Answer, Key>,
  { key, row, plain }: LockedRecord<Row, Plain, Key>,
  save: (row: Row, version: string) => Promise<unknown>,
  event?: ChangeEvent,
): Promise<Plain> {
  await save(row, nextVersion(row.updated_at, scope.now));
  const saved = mustExist(await kind.find(scope, key), `${kind.name} ${key}`);
  const changes = kind.changes?.(plain, saved) ?? changesBetween(kind.written(plain), kind.written(saved));
  const isNamed = event !== undefined || Object.keys(changes).length > 0;
  if (!isNamed) {
    const texts = await reworded(scope, kind, key, row);
    if (texts !== null) {
      await keepAsBefore(scope.tx, kind, key, { ...texts, updated_at: row.updated_at });
      return plain;
    }
  }
  const about = { ...kind.about(saved), after: row.updated_at };
  await record(scope, { type: `${kind.name}.updated`, ...event, ...about, changes });
  return saved;
}

/**
 * Compares all columns with those before. {@link RecordKind.written} is not enough: it may contain a client's name,
 * which two clients can share.
 * @returns the earlier texts of columns that say the same in another way, such as features in another order; null if a
 * column says something else
 */
async function reworded<Row extends Versioned, Key>(
  { tx }: Scope,
  kind: { lock: (tx: Db, keys: Key[]) => Promise<Row[]> },
  key: Key,
  row: Row,
): Promise<Record<string, string> | null> {
  const [now] = await kind.lock(tx, [key]);
  const texts: Record<string, string> = {};
  for (const [column, was] of Object.entries(row)) {
    const is: unknown = now?.[column as keyof Row];
    if (column === 'updated_at' || isDeepStrictEqual(was, is)) continue;
    if (typeof was !== 'string' || typeof is !== 'string' || !isSameJson(was, is)) return null;
    texts[column] = was;
  }
  return texts;
}

/**
 * Restores the version, and texts that were only reworded, after a save that changed nothing: nobody's copy of the
 * record becomes stale, and one version has one answer.
 */
async function keepAsBefore<Key>(
  tx: Db,
  { table, key = 'id' }: Pick<RecordKind<Versioned, object>, 'table' | 'key'>,
  value: Key,
  before: Versioned,
) {
  // The cast is safe: each table has both columns, but Kysely's types do not support a union of tables.
  const query = tx.updateTable(table as 'clients').set(before);
  await query.where(sql.ref(key), '=', value).execute();
}

/**
 * Changes a record and its version.
 * @param save stores the change, with the current row and the new version
 * @param event the event, if it is not `<kind>.updated`
 * @returns the answer for the record
 * @throws notFound (404), stale (412) with the current record, and what `save` throws
 */
export async function saveRecord<Row extends Versioned, Plain extends object, Answer extends object, Key>(
  scope: Scope,
  kind: RecordKind<Row, Plain, Answer, Key>,
  key: Key,
  save: (row: Row, version: string) => Promise<unknown>,
  event?: ChangeEvent,
): Promise<Answer> {
  return kind.complete(scope, await saveLocked(scope, kind, await lockRecord(scope, kind, key), save, event));
}

/**
 * Changes many records in one transaction, with one event for each. The versions that the caller expects are not
 * compared.
 * @returns the ids that exist
 */
export async function saveRecords<
  Row extends Versioned & { id: number },
  Plain extends object,
  Answer extends object,
>(
  scope: Scope,
  kind: RecordKind<Row, Plain, Answer>,
  ids: number[],
  save: (row: Row, version: string) => Promise<unknown>,
): Promise<number[]> {
  const rows = await kind.lock(scope.tx, ids);
  for (const row of rows) {
    const plain = mustExist(await kind.find(scope, row.id), `${kind.name} ${row.id}`);
    await saveLocked(scope, kind, { key: row.id, row, plain }, save);
  }
  return rows.map((row) => row.id);
}

/**
 * Deletes a record that has no licences (D013). The record is locked, so that no licence is issued for it meanwhile.
 * @throws notFound (404), stale (412) with the current record, inUse (409) with the number of licences, and what its
 * kind refuses
 */
export async function deleteRecord<Row extends Versioned, Plain extends object, Answer extends object>(
  scope: Scope,
  kind: RecordKind<Row, Plain, Answer> & Removable,
  id: number,
): Promise<void> {
  const { plain, row } = await lockRecord(scope, kind, id);
  const { tx } = scope;
  if (kind.usedBy) {
    const { column, called } = kind.usedBy;
    const { licenses } = await tx
      .selectFrom('licenses')
      .select((eb) => eb.fn.countAll<number>().as('licenses'))
      .where(column, '=', id)
      .executeTakeFirstOrThrow();
    if (licenses > 0) throw inUse(usedText(called, licenses));
  }
  await kind.refuseRemoval?.(tx, id);
  await record(scope, { type: `${kind.name}.deleted`, ...kind.about(plain), after: row.updated_at });
  await kind.removeBeside?.(scope, id);
  // The cast is safe: each table has the column, but Kysely's types do not support a union of tables.
  await tx
    .deleteFrom(kind.table as 'clients')
    .where('id', '=', id)
    .execute();
}

const usedText = (called: string, licenses: number) =>
  `No se puede eliminar ${called} porque tiene ${licenses} ${licenses === 1 ? 'licencia asociada' : 'licencias asociadas'}.`;
