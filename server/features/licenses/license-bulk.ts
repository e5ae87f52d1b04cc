import { licenseActions } from '../../../contract/licenses/license-bulk.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import {
  type ActionFields,
  BULK_LIFE_ACTIONS,
  type BulkLifeAction,
  VERBS,
} from '../../../contract/licenses/verbs/index.ts';
import { notFound } from '../../errors.ts';
import { type BulkVerb, defineBulk } from '../../records/define-bulk.ts';
import { deleteRecord } from '../../records/save-record.ts';
import { releaseSeats } from '../programs/release-installation.ts';
import { tagAdded, tagRemoved } from '../tags/settle-tags.ts';
import { changeLicenses, changeLicenseTags } from './change-license.ts';
import { licenseRecord } from './license.record.ts';
import { eventsOf } from './license-actions.ts';
import { licenseList } from './license-list.ts';
import { LICENSE_VERBS } from './license-verbs.ts';
import { resendLicenseMail } from './send-license-mail.ts';

type LifeVerbs = { [Action in BulkLifeAction]: BulkVerb<ActionFields<Action>> };

/** The actions in the life of a licence, each with the same function as its own call. */
const lifeVerbs = Object.fromEntries(
  BULK_LIFE_ACTIONS.map((action) => {
    const { run } = LICENSE_VERBS[action];
    return [action, { permission: VERBS[action].permission, writes: eventsOf(action), run }];
  }),
  // The cast is needed because fromEntries loses which verb has which name.
) as unknown as LifeVerbs;

/** The actions for many licences at once. */
export const licenseBulk = defineBulk({
  name: 'licenses',
  read: 'licenses:read',
  list: licenseList,
  actions: licenseActions,
  verbs: {
    delete: {
      permission: 'licenses:delete',
      writes: ['license.deleted', 'payment_request.cancelled'],
      run: (scope, id) => deleteRecord(scope, licenseRecord, id),
    },
    set_status: {
      permission: 'licenses:write',
      writes: ['license.updated', 'payment_request.cancelled'],
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
    add_tag: {
      permission: 'licenses:write',
      writes: ['license.updated'],
      run: async (scope, id, { tag }) => changeLicenseTags(scope, id, await tagAdded(scope.tx, tag)),
    },
    remove_tag: {
      permission: 'licenses:write',
      writes: ['license.updated'],
      run: (scope, id, { tag }) => changeLicenseTags(scope, id, tagRemoved(tag)),
    },
    ...lifeVerbs,
  },
});
