import type { z } from 'zod';
import { daysRemaining } from '../../../contract/base/time.ts';
import {
  graceUntil,
  type Refusal,
  refusalOf,
  type Usable,
} from '../../../contract/licenses/license-state.ts';
import {
  type MachineVerdict,
  VERDICT_MESSAGES,
  type validation,
  type validationResult,
} from '../../../contract/licenses/license-verdict.ts';
import { hasLapsed, leaseUntil } from '../../../contract/licenses/seats.ts';
import type { AppContext } from '../../context.ts';
import { readFeatures } from '../../db/features.ts';
import { askForMachine } from '../../rules/machine-seats.ts';
import { nameForProgram } from '../../rules/verified-clients.ts';
import { isOtherSoftware } from '../software/asked-software.ts';
import { countBlocked, seatsInUse } from './free-seats.ts';
import { countLapsed } from './lapsed-seats.ts';
import type { Answered } from './signed-answers.ts';

const VALIDATION_COLUMNS = [
  'licenses.id',
  'licenses.license_key',
  'licenses.status',
  'licenses.license_type',
  'licenses.expiry_date',
  'licenses.grace_days',
  'licenses.updates_until',
  'licenses.activate_by',
  'licenses.max_installations',
  'licenses.current_installations',
  'licenses.features',
  'licenses.meters',
  'licenses.issued_date',
  'licenses.offline_days',
  'licenses.lease_minutes',
  'licenses.software_id',
  'software.code as software_code',
  'software.name as software_name',
  'software.version as software_version',
  'clients.name as client_name',
  'clients.email_verified',
  'installations.installation_date',
  'installations.last_heartbeat',
] as const;

/** The data for a validation: the terms, the client, and whether the machine has a seat. */
export const findForValidation = askForMachine((db, licenseKey, isSeat) =>
  db
    .selectFrom('licenses')
    .innerJoin('clients', 'clients.id', 'licenses.client_id')
    .innerJoin('software', 'software.id', 'licenses.software_id')
    .leftJoin('installations', (join) => join.on(isSeat))
    .where('licenses.license_key', '=', licenseKey)
    .select(VALIDATION_COLUMNS),
);

type Question = z.output<typeof validation>;
type Answer = Omit<z.output<typeof validationResult>, 'token'>;
type Found = NonNullable<Awaited<ReturnType<typeof findForValidation>>>;

/** The present seats of a licence: how many are taken, and whether this machine has one. */
type Seats = { taken: number; hasSeat: boolean; leaseUntil: string | null };

const NO_SEATS: Seats = { taken: 0, hasSeat: false, leaseUntil: null };

/**
 * A floating seat whose lease has ended counts as free, even if it is not released yet (PROG-05). Machines without a seat
 * that can still work count as in an activation (CODE-02).
 */
export async function seatsNow(
  db: AppContext['db'],
  license: Found,
  { machineId, now }: { machineId: string; now: Date },
): Promise<Seats> {
  const { id, lease_minutes, installation_date, last_heartbeat, current_installations } = license;
  if (lease_minutes === null) {
    return { taken: current_installations, hasSeat: installation_date !== null, leaseUntil: null };
  }
  const lapsed = current_installations === 0 ? 0 : await countLapsed(db, { id, lease_minutes }, now);
  const taken = current_installations - lapsed + (await countBlocked(db, license, { machineId, now }));
  if (installation_date === null) return { taken, hasSeat: false, leaseUntil: null };
  const seat = { installation_date, last_heartbeat };
  return { taken, hasSeat: !hasLapsed(license, seat, now), leaseUntil: leaseUntil(license, seat) };
}

/**
 * Validates a licence for a machine. It takes no seat and only reads; only an activation takes a seat (D086).
 * @param found undefined for an unknown key
 */
export async function validateLicense(
  { db, now, config: { timeZone } }: Pick<AppContext, 'db' | 'now' | 'config'>,
  { machine_id, software, released_on, require_seat }: Question,
  found: Found | undefined,
): Promise<Answered<Answer>> {
  const at = now();
  const license = found ?? null;
  const isOther = license !== null && (await isOtherSoftware(db, software, license));
  const { taken, hasSeat, leaseUntil } =
    license === null ? NO_SEATS : await seatsNow(db, license, { machineId: machine_id, now: at });
  const seats = { taken, max: license?.max_installations ?? 0 };
  const reason = refusalOf({ license, isOther, released_on, seats, hasSeat, require_seat }, at, timeZone);
  const answer = {
    success: reason === null,
    ...verdictOf(reason, license, at, timeZone),
    machine_registered: hasSeat,
    ...(await seatFreeAt(db, { license, reason, machineId: machine_id, now: at })),
    ...(license !== null && license.activate_by !== null && { pending_start: true as const }),
    license: license && answeredOf(license, taken, at, timeZone),
  };
  return { answer, verdict: { license, reason, hasSeat, leaseUntil }, checked: license };
}

/** When a seat of a full floating licence is free (CODE-03); nothing for other answers. */
async function seatFreeAt(
  db: AppContext['db'],
  {
    license,
    reason,
    ...asked
  }: { license: Found | null; reason: Refusal | null; machineId: string; now: Date },
): Promise<Pick<Answer, 'seat_free_at'>> {
  if (license === null || license.lease_minutes === null || reason !== 'installation_limit') return {};
  const { lease_minutes } = license;
  const { seat_free_at } = await seatsInUse(db, { ...license, lease_minutes }, asked);
  return seat_free_at === null ? {} : { seat_free_at };
}

/** A verdict in words, with the grace of a valid licence. */
export function verdictOf(
  reason: Refusal | null,
  license: Usable | null,
  now: Date,
  timeZone: string,
): MachineVerdict {
  const grace_until = reason === null && license !== null ? graceUntil(license, now, timeZone) : null;
  return {
    valid: reason === null,
    reason,
    message: VERDICT_MESSAGES[reason ?? 'valid'],
    ...(grace_until !== null && { in_grace: true, grace_until }),
  };
}

const answeredOf = (license: Found, taken: number, now: Date, timeZone: string): Answer['license'] => ({
  license_key: license.license_key,
  status: license.status,
  license_type: license.license_type,
  software_name: license.software_name,
  software_version: license.software_version,
  client_name: nameForProgram(license),
  expiry_date: license.expiry_date,
  days_remaining: daysRemaining(license.expiry_date, now, timeZone),
  max_installations: license.max_installations,
  current_installations: taken,
  remaining_installations: Math.max(0, license.max_installations - taken),
  features: readFeatures(license.features),
});
