import { NOTE_MESSAGES, NOTE_NAME } from '../../../contract/notes/note-words.ts';
import { lockRows } from '../../db/dialect.ts';
import type { NoteRow } from '../../db/tables.ts';
import type { RecordKind, Removable } from '../../records/save-record.ts';
import { findNotes, type PlainNote, type StoredNote } from './notes.queries.ts';

/** The text is no part of `written`, because no event contains it (DESK-02). */
export const noteRecord: RecordKind<NoteRow, StoredNote, PlainNote> & Removable = {
  name: 'note',
  table: 'notes',
  notFound: NOTE_MESSAGES.notFound,
  lock: (tx, ids) =>
    lockRows(tx, tx.selectFrom('notes').selectAll().where('id', 'in', ids).orderBy('id')).execute(),
  find: async ({ tx }, id) => (await findNotes(tx, [id]))[0],
  complete: async (_at, { software: _software, ...note }) => note,
  written: ({ pinned, remind_on }) => ({ pinned, remind_on }),
  about: ({ id, client, license, software }) => ({
    subject: { id, name: NOTE_NAME },
    client,
    license,
    software,
  }),
};
