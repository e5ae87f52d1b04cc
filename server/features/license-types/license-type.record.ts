import { LICENSE_TYPE_MESSAGES, type LicenseType } from '../../../contract/licenses/license-types.ts';
import { lockRows } from '../../db/dialect.ts';
import type { LicenseTypeRow } from '../../db/tables.ts';
import type { RecordKind, Removable } from '../../records/save-record.ts';
import { findLicenseType } from './license-types.queries.ts';

/**
 * A type can always be deleted: its licences keep their terms, and the foreign key sets their reference to null
 * (D013).
 */
export const licenseTypeRecord: RecordKind<LicenseTypeRow, LicenseType> & Removable = {
  name: 'license_type',
  table: 'license_types',
  notFound: LICENSE_TYPE_MESSAGES.notFound,
  lock: (tx, ids) =>
    lockRows(tx, tx.selectFrom('license_types').selectAll().where('id', 'in', ids).orderBy('id')).execute(),
  find: ({ tx }, id) => findLicenseType(tx, id),
  complete: async (_scope, type) => type,
  written: ({ id: _id, created_at: _created, updated_at: _updated, ...values }) => values,
  about: ({ id, name }) => ({ subject: { id, name } }),
};
