import { localDay } from '../../../contract/base/time.ts';
import { NOTE_MESSAGES } from '../../../contract/notes/note-words.ts';
import type { NoteCreate, NoteUpdate } from '../../../contract/notes/notes.ts';
import { keepRows, lockRows } from '../../db/dialect.ts';
import { fault, invalid } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { record } from '../../records/record-event.ts';
import { saveRecord } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { noteRecord } from './note.record.ts';
import { findNotes, type PlainNote, updateNote } from './notes.queries.ts';

/**
 * Stores a new note about a client or a licence (DESK-02).
 * @throws invalid (400) for a client or licence that does not exist, and for a day that has passed
 */
export async function createNote(scope: Scope, body: NoteCreate): Promise<PlainNote> {
  const { tx, now, actor } = scope;
  refusePassedDay(scope, body.remind_on);
  const subject = await subjectOf(scope, body);
  const stamp = now.toISOString();
  const { id } = await tx
    .insertInto('notes')
    .values({
      ...subject,
      text: body.text,
      pinned: Number(body.pinned),
      remind_on: body.remind_on,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      created_at: stamp,
      updated_at: stamp,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const note = mustExist((await findNotes(tx, [id]))[0], `note ${id}`);
  await record(scope, { type: 'note.created', ...noteRecord.about(note) });
  return noteRecord.complete(scope, note);
}

/**
 * The columns that say what a note is about. The licence is locked, so that it stays with its client until the note is
 * stored; neither is deleted meanwhile.
 */
async function subjectOf({ tx }: Scope, { client, license }: NoteCreate) {
  if (license != null) {
    const query = tx.selectFrom('licenses').select('client_id').where('id', '=', license);
    const found = await lockRows(tx, query).executeTakeFirst();
    if (!found) throw invalid({ license: [fault('unknown_reference', NOTE_MESSAGES.unknownLicense)] });
    return { client_id: found.client_id, license_id: license };
  }
  const query = tx.selectFrom('clients').select('id').where('id', '=', client!);
  const found = await keepRows(tx, query).executeTakeFirst();
  if (!found) throw invalid({ client: [fault('unknown_reference', NOTE_MESSAGES.unknownClient)] });
  return { client_id: found.id, license_id: null };
}

/** A day before today would be due at once, by a slip. */
function refusePassedDay({ now, timeZone }: Scope, day: string | null): void {
  if (day !== null && day < localDay(now, timeZone))
    throw invalid({ remind_on: [fault('not_allowed', NOTE_MESSAGES.dayPassed)] });
}

/**
 * Changes a note. A day that has passed meanwhile may stay.
 * @throws notFound (404), stale (412), invalid (400) for a new day that has passed
 */
export function changeNote(
  scope: Scope,
  id: number,
  { updated_at: _read, pinned, ...values }: NoteUpdate,
): Promise<PlainNote> {
  return saveRecord(scope, noteRecord, id, (row, version) => {
    if (values.remind_on != null && values.remind_on !== row.remind_on)
      refusePassedDay(scope, values.remind_on);
    const changes = { ...values, ...(pinned !== undefined && { pinned: Number(pinned) }) };
    return updateNote(scope.tx, id, changes, version);
  });
}
