import { licenseActions } from '../../../contract/licenses/license-bulk.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.ts';
import { notFound } from '../../errors.ts';
import { defineBulk } from '../../records/define-bulk.ts';
import { deleteRecord } from '../../records/save-record.ts';
import { releaseSeats } from '../programs/release-installation.ts';
import { changeLicenses } from './change-license.ts';
import { licenseRecord } from './license.record.ts';
import { licenseList } from './license-list.ts';
import { renewLicense } from './renew-license.ts';
import { resendLicenseMail } from './send-license-mail.ts';
import { cancelLicense, reinstateLicense, suspendLicense } from './suspend-license.ts';

/** What can be done with many licences at once. */
export const licenseBulk = defineBulk({
  name: 'licenses',
  read: 'licenses:read',
  list: licenseList,
  actions: licenseActions,
  verbs: {
    delete: {
      permission: 'licenses:delete',
      writes: ['license.deleted'],
      run: (scope, id) => deleteRecord(scope, licenseRecord, id),
    },
    set_status: {
      permission: 'licenses:write',
      writes: ['license.updated'],
      run: async (scope, id, updates) => {
        const changed = await changeLicenses(scope, { ids: [id], updates });
        if (changed.length === 0) throw notFound(LICENSE_MESSAGES.notFound);
      },
    },
    resend_email: {
      permission: 'mails:send',
      writes: [],
      run: (scope, id) => resendLicenseMail(scope, id),
    },
    release_seats: {
      permission: 'installations:release',
      writes: ['installation.released'],
      run: (scope, id) => releaseSeats(scope, id),
    },
    renew: {
      permission: 'licenses:renew',
      writes: ['license.renewed'],
      run: (scope, id, input) => renewLicense(scope, id, input),
    },
    suspend: {
      permission: 'licenses:suspend',
      writes: ['license.suspended'],
      run: (scope, id, input) => suspendLicense(scope, id, input),
    },
    reinstate: {
      permission: 'licenses:suspend',
      writes: ['license.reinstated'],
      run: (scope, id, input) => reinstateLicense(scope, id, input),
    },
    cancel: {
      permission: 'licenses:write',
      writes: ['license.cancelled'],
      run: (scope, id, input) => cancelLicense(scope, id, input),
    },
  },
});
