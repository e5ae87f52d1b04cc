import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Changes } from '../../contract/system/events.ts';
import type { Db } from '../db/tables.ts';
import { inUse, notFound, stale } from '../errors.ts';
import { mustExist } from '../lib/must-exist.ts';
import type { Scope } from '../scope.ts';
import { type About, changesBetween, type NewEvent, record } from './record-event.ts';
import { isExpected, nextVersion } from './version.ts';

/** What of a scope is needed to read a record: no actor, and no transaction. */
export type ReadScope = Pick<Scope, 'tx' | 'now' | 'timeZone'>;

export type RecordKind<
  Row extends Held,
  Plain extends object,
  Answer extends object = Plain,
  Key = number,
> = {
  /** The first word of its events. */
  name: Removable['name'] | 'user' | 'settings' | 'mail_template';
  table: 'clients' | 'software' | 'license_types' | 'licenses' | 'users' | 'webhooks' | OtherTable;
  /** The column of its keys; `id` where none is named. */
  key?: string;
  /** The message of a 404. A kind whose record is always there has none. */
  notFound?: string;
  /** Reads rows and locks them until the transaction ends, ordered by id. */
  lock: (tx: Db, keys: Key[]) => Promise<Row[]>;
  find: (at: ReadScope, key: Key) => Promise<Plain | undefined>;
  /** The answer to a call for this one record: the record with what it has. */
  complete: (at: ReadScope, plain: Plain) => Promise<Answer>;
  /** The writable values by their public names, for the changes of an event. */
  written: (plain: Plain) => Record<string, unknown>;
  /** The changes of an event where {@link written} does not tell all of them. */
  changes?: (before: Plain, after: Plain) => Changes;
  about: (plain: Plain) => About;
};

type OtherTable = 'settings' | 'vendor_logo' | 'mail_templates';

/** How to delete a kind of record that can be deleted. */
export type Removable = {
  name: 'client' | 'software' | 'license_type' | 'license' | 'webhook';
  /** Deletes or ends what no foreign key deletes with the record. */
  removeBeside?: (scope: Scope, id: number) => Promise<unknown>;
  /** For a kind that licences refer to: the column in which, and the word for the record in the refusal (D013). */
  usedBy?: { column: 'client_id' | 'software_id'; called: string };
};

type Held = { updated_at: string };
type HeldRecord<Row, Plain, Key> = { key: Key; row: Row; plain: Plain };

/**
 * Locks a record until the transaction ends, if it has a version that the caller expects.
 * @throws notFound (404), stale (412) with the current record
 */
async function holdRecord<Row extends Held, Plain extends object, Answer extends object, Key>(
  scope: Scope,
  kind: RecordKind<Row, Plain, Answer, Key>,
  key: Key,
): Promise<HeldRecord<Row, Plain, Key>> {
  const [row] = await kind.lock(scope.tx, [key]);
  const plain = row && (await kind.find(scope, key));
  if (!row || !plain) throw notFound(kind.notFound);
  if (!isExpected(scope, row.updated_at)) throw stale(await kind.complete(scope, plain));
  return { key, row, plain };
}

/** The event of a change, without what the record itself tells. */
type ChangeEvent = Pick<NewEvent, 'type' | 'reason'>;

/**
 * Stores a change of a locked record, and its event. A save that leaves every column as it was keeps the version too, and
 * writes no event; an action has its event always.
 * @returns the record as stored
 */
async function saveHeld<Row extends Held, Plain extends object, Answer extends object, Key>(
  scope: Scope,
  kind: RecordKind<Row, Plain, Answer, Key>,
  { key, row, plain }: HeldRecord<Row, Plain, Key>,
  save: (row: Row, version: string) => Promise<unknown>,
  event?: ChangeEvent,
): Promise<Plain> {
  await save(row, nextVersion(row.updated_at, scope.now));
  const saved = mustExist(await kind.find(scope, key), `${kind.name} ${key}`);
  const changes = kind.changes?.(plain, saved) ?? changesBetween(kind.written(plain), kind.written(saved));
  const isNamed = event !== undefined || Object.keys(changes).length > 0;
  if (!isNamed && (await isAsBefore(scope, kind, key, row))) {
    await keepVersion(scope.tx, kind, key, row);
    return plain;
  }
  const about = { ...kind.about(saved), after: row.updated_at };
  await record(scope, { type: `${kind.name}.updated`, ...event, ...about, changes });
  return saved;
}

/** Whether a record has the columns that it had. Names alone do not tell: two clients may have one. */
async function isAsBefore<Row extends Held, Key>(
  { tx }: Scope,
  kind: { lock: (tx: Db, keys: Key[]) => Promise<Row[]> },
  key: Key,
  row: Row,
): Promise<boolean> {
  const [now] = await kind.lock(tx, [key]);
  return isDeepStrictEqual({ ...now, updated_at: row.updated_at }, { ...row });
}

/** Gives a record the version back that it had: a save that changes nothing is no news for whoever read it. */
async function keepVersion<Key>(
  tx: Db,
  { table, key = 'id' }: Pick<RecordKind<Held, object>, 'table' | 'key'>,
  value: Key,
  { updated_at }: Held,
) {
  // Each of the tables has both columns: Kysely's types cannot follow a union of tables.
  const query = tx.updateTable(table as 'clients').set({ updated_at });
  await query.where(sql.ref(key), '=', value).execute();
}

/**
 * Changes a record and its version.
 * @param save stores the change, with the current row and the new version
 * @param event the event of the change, if it is another than `updated`
 * @returns the record's answer
 * @throws notFound (404), stale (412) with the current record, and what `save` throws
 */
export async function saveRecord<Row extends Held, Plain extends object, Answer extends object, Key>(
  scope: Scope,
  kind: RecordKind<Row, Plain, Answer, Key>,
  key: Key,
  save: (row: Row, version: string) => Promise<unknown>,
  event?: ChangeEvent,
): Promise<Answer> {
  return kind.complete(scope, await saveHeld(scope, kind, await holdRecord(scope, kind, key), save, event));
}

/**
 * Changes many records in one transaction, each with its own event, whatever version the caller expects.
 * @returns the ids that exist
 */
export async function saveRecords<
  Row extends Held & { id: number },
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
    await saveHeld(scope, kind, { key: row.id, row, plain }, save);
  }
  return rows.map((row) => row.id);
}

/**
 * Deletes a record without licences (D013). It is locked meanwhile, so that no licence is issued for it.
 * @throws notFound (404), stale (412) with the current record, inUse (409) with the number of licences
 */
export async function deleteRecord<Row extends Held, Plain extends object, Answer extends object>(
  scope: Scope,
  kind: RecordKind<Row, Plain, Answer> & Removable,
  id: number,
): Promise<void> {
  const { plain, row } = await holdRecord(scope, kind, id);
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
  await record(scope, { type: `${kind.name}.deleted`, ...kind.about(plain), after: row.updated_at });
  await kind.removeBeside?.(scope, id);
  // Each of the tables has the column: Kysely's types cannot follow a union of tables.
  await tx
    .deleteFrom(kind.table as 'clients')
    .where('id', '=', id)
    .execute();
}

const usedText = (called: string, licenses: number) =>
  `No se puede eliminar ${called} porque tiene ${licenses} ${licenses === 1 ? 'licencia asociada' : 'licencias asociadas'}.`;
