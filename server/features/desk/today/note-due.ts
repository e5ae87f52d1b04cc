import { startOfLocalDay } from '../../../../contract/base/time.ts';
import { excerptOf, noteRight } from '../../../../contract/notes/note-words.ts';
import { clientLink, licenseLink } from '../../../records/links.ts';
import { dueNotes } from '../../notes/due-notes.ts';
import { OF_NOBODY, type TodaySource } from './source.ts';
import { TODAY_TEXTS as TEXTS } from './texts.ts';

/** Notes whose day has come (DESK-02), the latest day first. Another day is another matter. */
export const noteDue: TodaySource = {
  kind: 'note_due',
  find: async (db, reader, { limit, offset, record }) => {
    const rows = await dueNotes(db, reader, reader)
      ?.$if(record !== undefined, (query) => query.where('notes.id', '=', record!))
      .orderBy('notes.remind_on', 'desc')
      .orderBy('notes.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return (rows ?? []).map((row) => ({
      ...OF_NOBODY,
      record: row.id,
      fact: row.remind_on,
      at: startOfLocalDay(row.remind_on, reader.timeZone),
      title: TEXTS.noteDue(row.client_name),
      detail: excerptOf(row.text),
      client: clientLink(row),
      license: licenseLink(row),
      due: row.remind_on,
    }));
  },
  // Who writes notes of clients may not mark one of a licence that it may not read.
  maySee: async (db, { permissions }, record) => {
    const note = await db
      .selectFrom('notes')
      .select('license_id')
      .where('id', '=', record)
      .executeTakeFirst();
    return note === undefined || permissions.has(noteRight(note.license_id !== null));
  },
};
