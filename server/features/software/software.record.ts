import { SOFTWARE_MESSAGES, type Software } from '../../../contract/licenses/software.ts';
import { lockRows } from '../../db/dialect.ts';
import type { SoftwareRow } from '../../db/tables.ts';
import type { RecordKind, Removable } from '../../records/save-record.ts';
import { findSoftware } from './software.queries.ts';

export const softwareRecord: RecordKind<SoftwareRow, Software> & Removable = {
  name: 'software',
  table: 'software',
  notFound: SOFTWARE_MESSAGES.notFound,
  lock: (tx, ids) =>
    lockRows(tx, tx.selectFrom('software').selectAll().where('id', 'in', ids).orderBy('id')).execute(),
  find: ({ tx, now }, id) => findSoftware(tx, id, now),
  complete: async (_scope, software) => software,
  written: ({ name, version, description, is_active }) => ({ name, version, description, is_active }),
  about: ({ id, name, version }) => ({ subject: { id, name: `${name} ${version}` }, software: id }),
  usedBy: { column: 'software_id', called: 'el software' },
};
