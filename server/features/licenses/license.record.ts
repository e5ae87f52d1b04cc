import { valuesOf } from '../../../contract/base/fields.ts';
import { LICENSE_FIELDS, LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import type { License, LicenseRow } from '../../../contract/licenses/licenses.ts';
import { lockRows } from '../../db/dialect.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { hasPayments } from '../../errors.ts';
import type { RecordKind, Removable } from '../../records/save-record.ts';
import { paidAmong } from '../../rules/paid-licenses.ts';
import { deleteUnsentMessages } from '../mail/outbox.queries.ts';
import { cancelRequestOf, cancelSales, refusePaidInPart } from '../payment-requests/close-request.ts';
import { findLicenseRow, withInstallations } from './licenses.queries.ts';

export const licenseRecord: RecordKind<LicenseRecord, LicenseRow, License> & Removable = {
  name: 'license',
  table: 'licenses',
  notFound: LICENSE_MESSAGES.notFound,
  lock: (tx, ids) =>
    lockRows(tx, tx.selectFrom('licenses').selectAll().where('id', 'in', ids).orderBy('id')).execute(),
  find: ({ tx, now, timeZone }, id) => findLicenseRow(tx, id, now, timeZone),
  complete: ({ tx, now, timeZone }, license) => withInstallations(tx, license, now, timeZone),
  // References are stored as names, because an event may be read after the records were deleted.
  written: (license) => ({
    license_key: license.license_key,
    ...valuesOf(LICENSE_FIELDS, license),
    client: license.client_name,
    software: `${license.software_name} ${license.software_version}`,
    license_type_config: license.license_type_name,
  }),
  about: ({ id, license_key, client, software }) => ({
    subject: { id, name: license_key },
    client: { id: client.id, name: client.name },
    license: { id, license_key },
    software: software.id,
  }),
  refuseRemoval: async (tx, id) => {
    await refusePaidInPart(tx, id);
    if ((await paidAmong(tx, [id])).size > 0) throw hasPayments();
  },
  // Its installations are deleted by a foreign key (D013).
  removeBeside: async (scope, id) => {
    await cancelRequestOf(scope, id);
    await cancelSales(scope, ['license_id', id]);
    await deleteUnsentMessages(scope.tx, id);
  },
};
