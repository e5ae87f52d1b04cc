import { INSTALLATION_MESSAGES } from '../../../contract/installations.ts';
import { lockRows } from '../../db/dialect.ts';
import { notFound } from '../../errors.ts';
import { record } from '../../records/record-event.ts';
import type { Scope } from '../../scope.ts';
import { aboutInstallation, countSeat } from './activate-installation.ts';
import { findInstallation } from './installations.queries.ts';

/**
 * Gives the seat of a machine back.
 * @throws notFound (404)
 */
export async function releaseInstallation(scope: Scope, id: number): Promise<void> {
  const { tx, now } = scope;
  const installation = await findInstallation(tx, id, now);
  if (!installation) throw notFound(INSTALLATION_MESSAGES.notFound);
  // The licence first, as activation does: two that lock in the same order never wait for each other.
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
