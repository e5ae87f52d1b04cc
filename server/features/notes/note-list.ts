import { type SqlBool, sql } from 'kysely';
import { noteListQuery } from '../../../contract/notes/notes.ts';
import { defineList } from '../../lists/define-list.ts';
import { equals } from '../../lists/filters.ts';
import type { PageQuery } from '../../lists/paging.ts';
import { findNotes, type PlainNote } from './notes.queries.ts';

type NoteQuery = PageQuery & {
  client?: number | undefined;
  license?: number | undefined;
  /** Only notes about the client itself, for a caller who may not read licences. */
  own?: true | undefined;
};

/** Notes of a client or a licence: pinned ones first, then the newest (DESK-02). */
export const noteList = defineList<NoteQuery, PlainNote>({
  table: 'notes',
  query: noteListQuery,
  filters: {
    client: equals('notes.client_id', { byIndex: 'many', inOrder: true }),
    license: equals('notes.license_id', { byIndex: 'many', inOrder: true }),
    own: () => ({ holds: sql<SqlBool>`notes.license_id is null` }),
  },
  orderings: {},
  order: { by: 'notes.pinned', of: 'number', descending: true },
  rows: async (db, ids) => (await findNotes(db, ids)).map(({ software: _software, ...note }) => note),
});
