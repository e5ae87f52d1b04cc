import { INSTALLATION_MESSAGES } from '../../../contract/installations.ts';
import { lockRows } from '../../db/dialect.ts';
import { notFound } from '../../errors.ts';
import { record } from '../../records/record-event.ts';
import type { Scope } from '../../scope.ts';
import { aboutInstallation, countSeat } from './activate-installation.ts';
import { findInstallation } from './installations.queries.ts';

/**
 * Removes an installation and frees its seat.
 * @throws notFound (404)
 */
export async function releaseInstallation(scope: Scope, id: number): Promise<void> {
  const { tx, now } = scope;
  const installation = await findInstallation(tx, id, now);
  if (!installation) throw notFound(INSTALLATION_MESSAGES.notFound);
  // Locks the licence first, as activation does: the same lock order prevents deadlocks.
  const license = await lockRows(
    tx,
    tx
      .selectFrom('licenses')
      .select(['id', 'client_id', 'software_id'])
      .where('id', '=', installation.license),
  ).executeTakeFirst();
  const { numDeletedRows } = await tx.deleteFrom('installations').where('id', '=', id).executeTakeFirst();
  if (!license || numDeletedRows === 0n) throw notFound(INSTALLATION_MESSAGES.notFound);
  await countSeat(tx, license.id, -1);
  await record(scope, { type: 'installation.released', ...aboutInstallation(installation, license) });
}
