import { z } from 'zod';
import { bulkActionOf } from './bulk.ts';
import {
  licenseCancellation,
  licenseReinstatement,
  licenseRenewal,
  licenseSuspension,
} from './license-lifecycle.ts';
import { LICENSE_MESSAGES, LICENSE_STATUSES } from './licenses.ts';

/** The bulk actions on licences and their fields (LIST-01, LIFE-06). */
export const licenseActions = {
  delete: {},
  set_status: { status: z.enum(LICENSE_STATUSES, LICENSE_MESSAGES.status) },
  /** The message about the licence again, to the client's current address. */
  resend_email: {},
  /** Removes all machines of the licence. */
  release_seats: {},
  renew: licenseRenewal.shape,
  suspend: licenseSuspension.shape,
  reinstate: licenseReinstatement.shape,
  cancel: licenseCancellation.shape,
};
export const licenseBulkAction = bulkActionOf(licenseActions);
