import { valuesOf } from '../../../contract/base/fields.ts';
import { SOFTWARE_FIELDS, SOFTWARE_MESSAGES } from '../../../contract/software/software.fields.ts';
import type { Software } from '../../../contract/software/software.ts';
import { lockRows } from '../../db/dialect.ts';
import type { SoftwareRow } from '../../db/tables.ts';
import type { RecordKind, Removable } from '../../records/save-record.ts';
import { findSoftware } from './software.queries.ts';

export const softwareRecord: RecordKind<SoftwareRow, Software> & Removable & { name: 'software' } = {
  name: 'software',
  table: 'software',
  notFound: SOFTWARE_MESSAGES.notFound,
  lock: (tx, ids) =>
    lockRows(tx, tx.selectFrom('software').selectAll().where('id', 'in', ids).orderBy('id')).execute(),
  find: ({ tx, now }, id) => findSoftware(tx, id, now),
  complete: async (_scope, software) => software,
  // The type is stored by its name, because an event may be read after it was deleted.
  written: (software) => ({
    ...valuesOf(SOFTWARE_FIELDS, software),
    trial_type: software.trial_type_name,
  }),
  about: ({ id, name, version }) => ({ subject: { id, name: `${name} ${version}` }, software: id }),
  usedBy: { column: 'software_id', called: 'el software' },
};
