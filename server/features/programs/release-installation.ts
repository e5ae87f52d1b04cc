import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import { FLOATING_MESSAGES, silentMinutes } from '../../../contract/programs/floating-seats.ts';
import { INSTALLATION_MESSAGES } from '../../../contract/programs/installations.ts';
import { lockRows } from '../../db/dialect.ts';
import { conflict, notFound } from '../../errors.ts';
import { record } from '../../records/record-event.ts';
import type { Scope } from '../../scope.ts';
import { aboutInstallation } from './about-installation.ts';
import { countSeat } from './count-seat.ts';
import { findInstallation, listInstallationsOfLicense } from './installations.queries.ts';
import { releaseUnheard } from './lapsed-seats.ts';
import { LEFT, storeReleasedSeats } from './released-seats.ts';
import type { FreedSeat } from './undo-release.ts';

/**
 * Removes an installation and frees its seat, because staff decided it, even if its program can still work without
 * connection.
 * @returns until when the program can work with its last token or file, null if it cannot; and the data for undoing
 * the release
 * @throws notFound (404)
 */
export async function releaseInstallation(
  scope: Scope,
  id: number,
): Promise<{ until: string | null; freed: FreedSeat }> {
  const { tx, now } = scope;
  const installation = await findInstallation(tx, id, now);
  if (!installation) throw notFound(INSTALLATION_MESSAGES.notFound);
  // The licence is locked first, as in an activation: the same order of locks prevents deadlocks.
  const license = await lockRows(
    tx,
    tx
      .selectFrom('licenses')
      .select(['id', 'client_id', 'software_id', 'max_installations', 'lease_minutes'])
      .where('id', '=', installation.license),
  ).executeTakeFirst();
  if (!license) throw notFound(INSTALLATION_MESSAGES.notFound);
  await record(scope, { type: 'installation.released', ...aboutInstallation(installation, license) });
  const seat = await tx.deleteFrom('installations').where('id', '=', id).returningAll().executeTakeFirst();
  if (!seat) throw notFound(INSTALLATION_MESSAGES.notFound);
  await countSeat(tx, license.id, -1);
  const { id: _gone, ...row } = seat;
  const freed = { row, client_id: license.client_id, at: now.toISOString() };
  return { until: await storeReleasedSeats(scope, license, [seat], { byStaff: true }), freed };
}

/**
 * Removes all installations of a licence, with one event for each. A licence without installations stays unchanged.
 * @throws notFound (404) for an unknown licence
 */
export async function releaseSeats(scope: Scope, licenseId: number): Promise<void> {
  const { tx, now } = scope;
  const license = await lockRows(
    tx,
    tx
      .selectFrom('licenses')
      .select(['id', 'client_id', 'software_id', 'max_installations', 'lease_minutes'])
      .where('id', '=', licenseId),
  ).executeTakeFirst();
  if (!license) throw notFound(LICENSE_MESSAGES.notFound);
  const installations = await listInstallationsOfLicense(tx, licenseId, now);
  if (installations.length === 0) return;
  for (const installation of installations) {
    await record(scope, { type: 'installation.released', ...aboutInstallation(installation, license) });
  }
  const seats = await tx
    .deleteFrom('installations')
    .where('license_id', '=', licenseId)
    .returning(LEFT)
    .execute();
  await storeReleasedSeats(scope, license, seats, { byStaff: true });
  await tx.updateTable('licenses').set({ current_installations: 0 }).where('id', '=', licenseId).execute();
}

/**
 * 'Liberar los que callan': releases the floating seats of a licence whose machines sent no signal for some minutes, with
 * one event for each.
 * @param minutes without them, half of the lease
 * @returns how many, and until when one of their programs can still work without connection
 * @throws notFound (404) for an unknown licence; AppError 409 conflict for fixed seats
 */
export async function releaseSilent(scope: Scope, licenseId: number, minutes: number | undefined) {
  const { tx } = scope;
  const license = await lockRows(
    tx,
    tx.selectFrom('licenses').select('lease_minutes').where('id', '=', licenseId),
  ).executeTakeFirst();
  if (!license) throw notFound(LICENSE_MESSAGES.notFound);
  const { lease_minutes } = license;
  if (lease_minutes === null) throw conflict(FLOATING_MESSAGES.onlyFloating);
  return releaseUnheard(scope, { id: licenseId, lease_minutes }, minutes ?? silentMinutes(lease_minutes));
}
