import { erasedName } from '../../../contract/clients/privacy.ts';
import {
  INSTALLATION_MESSAGES,
  type Installation,
  UNDO_RELEASE_MINUTES,
} from '../../../contract/programs/installations.ts';
import { machineKey } from '../../../contract/reading/machine-ids.ts';
import type { InstallationRow } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { record } from '../../records/record-event.ts';
import type { Scope } from '../../scope.ts';
import { aboutInstallation } from './about-installation.ts';
import { findSeat, lockLicenseOfId, takeSeat } from './activate-installation.ts';
import { countSeat } from './count-seat.ts';
import { countBlocked, freeAt } from './free-seats.ts';
import { getInstallation } from './installations.queries.ts';
import { storeLastSignal } from './last-signals.ts';

/**
 * A seat as it was when it was released. The release is stored at once, not when the undo expires, so that the
 * console's message is true even if the page is closed.
 */
export type FreedSeat = {
  row: Omit<InstallationRow, 'id'>;
  /** The client of the licence. */
  client_id: number;
  /** When the seat was released. */
  at: string;
};

const PURPOSE = 'released seat';

/**
 * The seat as an encrypted text. The caller of the release keeps it for the undo. The server stores nothing of it:
 * others could read it in a table or in the event.
 */
export const sealFreed = (secrets: SecretBox, freed: FreedSeat): string =>
  secrets.seal(JSON.stringify(freed), PURPOSE);

/**
 * Gives a released machine its seat back, with all its data, under a new id. The licence need not be usable, because
 * the machine had the seat. A machine that already has a seat again keeps that one.
 * @throws AppError 409 not_undoable when the text is invalid or too old, or the licence was deleted or transferred to
 * another client; 409 installation_limit when the seat was taken meanwhile
 */
export async function undoRelease(scope: Scope, secrets: SecretBox, sealed: string): Promise<Installation> {
  const { tx, now } = scope;
  const { row, client_id, at } = opened(secrets, sealed);
  if (now.getTime() - Date.parse(at) > UNDO_RELEASE_MINUTES * 60_000) throw notUndoable();
  const [license] = await lockLicenseOfId(tx, { id: row.license_id });
  const isSame = license?.client_id === client_id && license.client_name !== erasedName(client_id);
  if (license === undefined || !isSame) throw notUndoable();
  const seat = await findSeat(tx, { licenseId: license.id, machineId: row.machine_id });
  if (seat) return getInstallation(tx, seat.id, now);
  const taken =
    license.current_installations + (await countBlocked(tx, license, { machineId: row.machine_id, now }));
  if (taken >= license.max_installations) {
    const free = await freeAt(scope, license, row.machine_id);
    throw new AppError(409, 'installation_limit', free);
  }
  // So that programs that read changes since a moment get the machine again.
  const [added] = await takeSeat(tx, {
    ...row,
    machine_key: machineKey(row.machine_id),
    changed_at: now.toISOString(),
  });
  await countSeat(tx, license.id, 1);
  if (row.heard_on !== '') await storeLastSignal(tx, license.id, row.heard_on);
  const installation = await getInstallation(tx, added!.id, now);
  await record(scope, { type: 'installation.activated', ...aboutInstallation(installation, license) });
  return installation;
}

const notUndoable = () => new AppError(409, 'not_undoable', { message: INSTALLATION_MESSAGES.notUndoable });

function opened(secrets: SecretBox, sealed: string): FreedSeat {
  try {
    return JSON.parse(secrets.open(sealed, PURPOSE));
  } catch {
    throw notUndoable();
  }
}
