import { CLIENT_MESSAGES } from '../../../contract/clients/clients.fields.ts';
import { clientActions } from '../../../contract/clients/clients.ts';
import { notFound } from '../../errors.ts';
import { defineBulk } from '../../records/define-bulk.ts';
import { deleteRecord } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { releaseSeats } from '../programs/release-installation.ts';
import { tagAdded, tagRemoved } from '../tags/settle-tags.ts';
import { clientRecord } from './client.record.ts';
import { clientList } from './client-list.ts';
import { licenseIdsInUse } from './clients.queries.ts';
import { changeClients, changeClientTags } from './save-client.ts';

/** The actions for many clients at once. */
export const clientBulk = defineBulk({
  name: 'clients',
  read: 'clients:read',
  list: clientList,
  actions: clientActions,
  verbs: {
    delete: {
      permission: 'clients:delete',
      writes: ['client.deleted'],
      run: (scope, id) => deleteRecord(scope, clientRecord, id),
    },
    set_status: {
      permission: 'clients:write',
      writes: ['client.updated'],
      run: async (scope, id, updates) => {
        const changed = await changeClients(scope, { ids: [id], updates });
        if (changed.length === 0) throw notFound(CLIENT_MESSAGES.notFound);
      },
    },
    release_seats: {
      permission: 'installations:release',
      writes: ['installation.released'],
      run: (scope, id) => releaseSeatsOfClient(scope, id),
    },
    add_tag: {
      permission: 'clients:write',
      writes: ['client.updated'],
      run: async (scope, id, { tag }) => changeClientTags(scope, id, await tagAdded(scope.tx, tag)),
    },
    remove_tag: {
      permission: 'clients:write',
      writes: ['client.updated'],
      run: (scope, id, { tag }) => changeClientTags(scope, id, tagRemoved(tag)),
    },
  },
});

/**
 * Releases all seats of a client's licences.
 * @throws notFound (404)
 */
async function releaseSeatsOfClient(scope: Scope, id: number): Promise<void> {
  const client = await clientRecord.find(scope, id);
  if (!client) throw notFound(CLIENT_MESSAGES.notFound);
  // In the order of ids, like every call that locks several licences, to prevent deadlocks.
  for (const license of await licenseIdsInUse(scope.tx, id)) await releaseSeats(scope, license);
}
