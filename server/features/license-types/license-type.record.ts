import { valuesOf } from '../../../contract/base/fields.ts';
import {
  LICENSE_TYPE_FIELDS,
  LICENSE_TYPE_MESSAGES,
} from '../../../contract/license-types/license-types.fields.ts';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import { lockRows } from '../../db/dialect.ts';
import type { LicenseTypeRow } from '../../db/tables.ts';
import type { RecordKind, Removable } from '../../records/save-record.ts';
import { findLicenseType } from './license-types.queries.ts';

/**
 * A type can always be deleted: its licences keep their terms, and the foreign key sets their reference to null
 * (D013).
 */
export const licenseTypeRecord: RecordKind<LicenseTypeRow, LicenseType> &
  Removable & { name: 'license_type' } = {
  name: 'license_type',
  table: 'license_types',
  notFound: LICENSE_TYPE_MESSAGES.notFound,
  lock: (tx, ids) =>
    lockRows(tx, tx.selectFrom('license_types').selectAll().where('id', 'in', ids).orderBy('id')).execute(),
  find: ({ tx }, id) => findLicenseType(tx, id),
  complete: async (_scope, type) => type,
  written: (type) => valuesOf(LICENSE_TYPE_FIELDS, type),
  about: ({ id, name }) => ({ subject: { id, name } }),
};
