import type { Note } from '../../../contract/notes/notes.ts';
import { isAmong } from '../../db/dialect.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import { licenseLink } from '../../records/links.ts';

/** A note without what depends on the caller. */
export type PlainNote = Omit<Note, 'can_change'>;
/** Also with the software of its licence, for its events. */
export type StoredNote = PlainNote & { software: number | null };

const completeNotes = (db: Db) =>
  db
    .selectFrom('notes')
    .innerJoin('clients', 'clients.id', 'notes.client_id')
    .leftJoin('licenses', 'licenses.id', 'notes.license_id')
    .select([
      'notes.id',
      'notes.text',
      'notes.pinned',
      'notes.remind_on',
      'notes.client_id',
      'clients.name as client_name',
      'notes.license_id',
      'licenses.license_key',
      'licenses.software_id',
      'notes.actor_kind',
      'notes.actor_id',
      'notes.actor_name',
      'notes.created_at',
      'notes.updated_at',
    ]);

type JoinedNote = Awaited<ReturnType<ReturnType<typeof completeNotes>['execute']>>[number];

const toNote = (row: JoinedNote): StoredNote => ({
  id: row.id,
  text: row.text,
  pinned: row.pinned === 1,
  remind_on: row.remind_on,
  client: { id: row.client_id, name: row.client_name },
  license: licenseLink(row),
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  created_at: row.created_at,
  updated_at: row.updated_at,
  software: row.software_id,
});

const notesOfIds = prepared((db, { ids }: { ids: number[] }) =>
  completeNotes(db).where((eb) => isAmong(db, eb.ref('notes.id'), ids)),
);

/** Notes by id, in any order; those that were deleted meanwhile are missing. */
export async function findNotes(db: Db, ids: number[]): Promise<StoredNote[]> {
  return ids.length === 0 ? [] : (await notesOfIds(db, { ids })).map(toNote);
}

/** What a note is stored with, beside its author and its times. */
export type NoteColumns = {
  client_id: number;
  license_id: number | null;
  text: string;
  pinned: number;
  remind_on: string | null;
};

export async function updateNote(
  db: Db,
  id: number,
  changes: Partial<Pick<NoteColumns, 'text' | 'pinned' | 'remind_on'>>,
  updatedAt: string,
): Promise<void> {
  await db
    .updateTable('notes')
    .set({ ...changes, updated_at: updatedAt })
    .where('id', '=', id)
    .execute();
}
