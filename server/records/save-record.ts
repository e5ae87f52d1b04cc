import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../db/tables.ts';
import { inUse, notFound, stale } from '../errors.ts';
import { mustExist } from '../lib/must-exist.ts';
import type { Scope } from '../scope.ts';
import { type About, changesBetween, type NewEvent, record } from './record-event.ts';
import { isExpected, nextVersion } from './version.ts';

/** How to save and delete a kind of record. */
export type RecordKind<Row extends Held, Plain extends Fields, Answer extends Plain = Plain> = {
  /** The first word of its events. */
  name: 'client' | 'software' | 'license_type' | 'license';
  table: 'clients' | 'software' | 'license_types' | 'licenses';
  /** The message of a 404. */
  notFound: string;
  /** Reads rows and locks them until the transaction ends, ordered by id. */
  lock: (tx: Db, ids: number[]) => Promise<Row[]>;
  find: (scope: Scope, id: number) => Promise<Plain | undefined>;
  /** The answer to a call for this one record: the record with what it has. */
  complete: (scope: Scope, plain: Plain) => Promise<Answer>;
  /** The writable values by their public names, for the changes of an event. */
  written: (plain: Plain) => Record<string, unknown>;
  about: (plain: Plain) => About;
  remove: (tx: Db, id: number) => Promise<unknown>;
  /** For a kind that licences refer to: their count, and the word for the record in the refusal (D013). */
  usedBy?: { count: (tx: Db, id: number) => Promise<number>; called: string };
};

type Held = { id: number; updated_at: string };
type Fields = Record<string, unknown>;

/**
 * Locks a record until the transaction ends, if the caller has read the stored version.
 * @throws notFound (404), stale (412) with the current record
 */
async function holdRecord<Row extends Held, Plain extends Fields, Answer extends Plain>(
  scope: Scope,
  kind: RecordKind<Row, Plain, Answer>,
  id: number,
): Promise<{ row: Row; plain: Plain }> {
  const [row] = await kind.lock(scope.tx, [id]);
  const plain = row && (await kind.find(scope, id));
  if (!row || !plain) throw notFound(kind.notFound);
  if (!isExpected(scope, row.updated_at)) throw stale(await kind.complete(scope, plain));
  return { row, plain };
}

/** The event of a change, without what the record itself tells. */
export type ChangeEvent = Pick<NewEvent, 'type' | 'reason'>;

/**
 * Stores a change of a locked record, and its event. A save that leaves every column as it was keeps the version too, and
 * writes no event; an action has its event always.
 * @returns the record as stored
 */
async function saveHeld<Row extends Held, Plain extends Fields>(
  scope: Scope,
  kind: RecordKind<Row, Plain>,
  { row, plain }: { row: Row; plain: Plain },
  save: (row: Row, version: string) => Promise<unknown>,
  event?: ChangeEvent,
): Promise<Plain> {
  await save(row, nextVersion(row.updated_at, scope.now));
  const saved = mustExist(await kind.find(scope, row.id), `${kind.name} ${row.id}`);
  const changes = changesBetween(kind.written(plain), kind.written(saved));
  const isNamed = event !== undefined || Object.keys(changes).length > 0;
  if (!isNamed && (await isAsBefore(scope, kind, row))) {
    await keepVersion(scope.tx, kind.table, row);
    return plain;
  }
  await record(scope, { type: `${kind.name}.updated`, ...event, ...kind.about(saved), changes });
  return saved;
}

/** Whether a record has the columns that it had. Names alone do not tell: two clients may have one. */
async function isAsBefore<Row extends Held, Plain extends Fields>(
  { tx }: Scope,
  kind: RecordKind<Row, Plain>,
  row: Row,
): Promise<boolean> {
  const [now] = await kind.lock(tx, [row.id]);
  return isDeepStrictEqual({ ...now, updated_at: row.updated_at }, { ...row });
}

/** Gives a record the version back that it had: a save that changes nothing is no news for whoever read it. */
async function keepVersion(tx: Db, table: RecordKind<Held, Fields>['table'], { id, updated_at }: Held) {
  // One of the four tables, which all have both columns: Kysely's types cannot follow a union of tables.
  const query = tx.updateTable(table as 'clients').set({ updated_at });
  await query.where('id', '=', id).execute();
}

/**
 * Changes a record and its version.
 * @param save stores the change, with the current row and the new version
 * @param event the event of the change, if it is another than `updated`
 * @returns the record's answer
 * @throws notFound (404), stale (412) with the current record, and what `save` throws
 */
export async function saveRecord<Row extends Held, Plain extends Fields, Answer extends Plain>(
  scope: Scope,
  kind: RecordKind<Row, Plain, Answer>,
  id: number,
  save: (row: Row, version: string) => Promise<unknown>,
  event?: ChangeEvent,
): Promise<Answer> {
  const saved = await saveHeld(scope, kind, await holdRecord(scope, kind, id), save, event);
  return kind.complete(scope, saved);
}

/**
 * Changes many records in one transaction, each with its own event.
 * @returns the ids that exist
 */
export async function saveRecords<Row extends Held, Plain extends Fields>(
  scope: Scope,
  kind: RecordKind<Row, Plain>,
  ids: number[],
  save: (row: Row, version: string) => Promise<unknown>,
): Promise<number[]> {
  const rows = await kind.lock(scope.tx, ids);
  for (const row of rows) {
    const plain = mustExist(await kind.find(scope, row.id), `${kind.name} ${row.id}`);
    await saveHeld(scope, kind, { row, plain }, save);
  }
  return rows.map((row) => row.id);
}

/**
 * Deletes a record without licences (D013). It is locked meanwhile, so that no licence is issued for it.
 * @throws notFound (404), stale (412) with the current record, inUse (409) with the number of licences
 */
export async function deleteRecord<Row extends Held, Plain extends Fields, Answer extends Plain>(
  scope: Scope,
  kind: RecordKind<Row, Plain, Answer>,
  id: number,
): Promise<void> {
  const { plain } = await holdRecord(scope, kind, id);
  if (kind.usedBy) {
    const licenses = await kind.usedBy.count(scope.tx, id);
    if (licenses > 0) throw inUse(usedText(kind.usedBy.called, licenses));
  }
  await record(scope, { type: `${kind.name}.deleted`, ...kind.about(plain) });
  await kind.remove(scope.tx, id);
}

const usedText = (called: string, licenses: number) =>
  `No se puede eliminar ${called} porque tiene ${licenses} ${licenses === 1 ? 'licencia asociada' : 'licencias asociadas'}.`;
