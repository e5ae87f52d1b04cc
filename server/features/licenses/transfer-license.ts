import type { License } from '../../../contract/licenses/licenses.ts';
import type { ActionFields } from '../../../contract/licenses/verbs/index.ts';
import { TRANSFER_MESSAGES } from '../../../contract/licenses/verbs/transfer.ts';
import { fault, invalid } from '../../errors.ts';
import { markVerified } from '../../rules/verified-clients.ts';
import type { Scope } from '../../scope.ts';
import { cancelRequestOf } from '../payment-requests/close-request.ts';
import { actOnLicense, REFUSED_WITH_REQUEST, type Verb } from './license-actions.ts';
import { unknownReferences } from './license-references.ts';
import { updateLicense } from './licenses.queries.ts';

/**
 * Transfers a licence to another active client; its key stays the same (LIFE-04).
 * @throws as {@link actOnLicense}, and invalid (400) on `client`
 */
export function transferLicense(
  scope: Scope,
  id: number,
  { client, release_seats, notify, reason }: ActionFields<'transfer'>,
): Promise<License> {
  const { tx } = scope;
  return actOnLicense(scope, id, 'transfer', { reason, notify }, async (row, version) => {
    const errors = await unknownReferences(tx, { client });
    if (Object.keys(errors).length > 0) throw invalid(errors);
    if (client === row.client_id)
      throw invalid({ client: [fault('not_allowed', TRANSFER_MESSAGES.sameClient)] });
    const { status } = await tx
      .selectFrom('clients')
      .select('status')
      .where('id', '=', client)
      .executeTakeFirstOrThrow();
    if (status !== 'active')
      throw invalid({ client: [fault('not_allowed', TRANSFER_MESSAGES.inactiveClient)] });
    await cancelRequestOf(scope, id);
    if (release_seats) await tx.deleteFrom('installations').where('license_id', '=', id).execute();
    const seats = release_seats ? { current_installations: 0 } : {};
    await updateLicense(tx, id, { client_id: client, ...seats }, version);
    // Who transfers a licence knows its client; a program only passes on what somebody wrote.
    if (scope.actor.kind !== 'machine') await markVerified(tx, client);
  });
}

export const transferVerb: Verb<'transfer'> = {
  summary: 'Transferir una licencia a otro cliente',
  refused: REFUSED_WITH_REQUEST,
  event: {
    when: 'To another client',
    changes: '`client`',
  },
  run: transferLicense,
};
