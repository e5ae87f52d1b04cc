import { SOFTWARE_MESSAGES } from '../../../contract/software/software.fields.ts';
import { softwareActions } from '../../../contract/software/software.ts';
import { notFound } from '../../errors.ts';
import { defineBulk } from '../../records/define-bulk.ts';
import { deleteRecord } from '../../records/save-record.ts';
import { changeSoftware } from './save-software.ts';
import { softwareRecord } from './software.record.ts';
import { softwareList } from './software-list.ts';

/** The actions for several software records at once. */
export const softwareBulk = defineBulk({
  name: 'software',
  read: 'software:read',
  list: softwareList,
  actions: softwareActions,
  verbs: {
    delete: {
      permission: 'software:delete',
      writes: ['software.deleted'],
      run: (scope, id) => deleteRecord(scope, softwareRecord, id),
    },
    set_status: {
      permission: 'software:write',
      writes: ['software.updated'],
      run: async (scope, id, updates) => {
        const changed = await changeSoftware(scope, { ids: [id], updates });
        if (changed.length === 0) throw notFound(SOFTWARE_MESSAGES.notFound);
      },
    },
  },
});
