import type { z } from 'zod';
import {
  type heartbeat,
  type heartbeatResult,
  INSTALLATION_MESSAGES,
} from '../../../contract/installations.ts';
import { graceUntil } from '../../../contract/license-verdict.ts';
import { daysRemaining, isExpired, isInstallationActive } from '../../../contract/time.ts';
import type { AppContext } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { findMachine, stampHeartbeat } from './installations.queries.ts';

/** A repeated heartbeat within this time is not written (promises: Under load). */
const HEARTBEAT_REST_MS = 60_000;

/**
 * Stores a heartbeat, with the server's clock (D109). A heartbeat is not an event (EVENT-03).
 * @param admit called with the licence's id once the machine is found; may throw
 * @throws AppError 404 license_not_found for an unknown key, not_found for a machine without a seat
 */
export async function takeHeartbeat(
  { db, now, config }: Pick<AppContext, 'db' | 'now' | 'config'>,
  { license_key, machine_id, ip_address }: z.output<typeof heartbeat>,
  admit: (licenseId: number) => void,
): Promise<z.output<typeof heartbeatResult>> {
  const machine = await findMachine(db, license_key, machine_id);
  if (!machine) throw new AppError(404, 'license_not_found');
  if (machine.installation_id === null) throw notFound(INSTALLATION_MESSAGES.notFound);
  admit(machine.license_id);

  const time = now();
  const ipAddress = ip_address || machine.ip_address || '';
  const last = machine.last_heartbeat;
  const rests = last !== null && time.getTime() - Date.parse(last) < HEARTBEAT_REST_MS;
  const unchanged = rests && ipAddress === machine.ip_address;
  const at = unchanged ? last : time.toISOString();
  if (!unchanged) await stampHeartbeat(db, machine.installation_id, { at, ipAddress });
  const grace_until = graceUntil(machine, time, config.timeZone);
  return {
    success: true,
    installation: {
      id: machine.installation_id,
      machine_id,
      last_heartbeat: at,
      is_active: isInstallationActive(at, time),
    },
    license: {
      status: machine.status,
      is_expired: isExpired(machine.expiry_date, time),
      ...(grace_until !== null && { in_grace: true, grace_until }),
      days_remaining: daysRemaining(machine.expiry_date, time, config.timeZone),
    },
  };
}
