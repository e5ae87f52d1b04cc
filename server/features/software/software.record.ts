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
  written: (software) => ({
    name: software.name,
    version: software.version,
    description: software.description,
    is_active: software.is_active,
    trial_type: software.trial_type_name,
    trial_email: software.trial_email,
    trial_daily_limit: software.trial_daily_limit,
  }),
  about: ({ id, name, version }) => ({ subject: { id, name: `${name} ${version}` }, software: id }),
  usedBy: { column: 'software_id', called: 'el software' },
};
