import type { z } from 'zod';
import { daysRemaining, isExpired, isInstallationActive } from '../../../contract/base/time.ts';
import { graceUntil, licenseRefusal, updatesEnded } from '../../../contract/licenses/license-state.ts';
import type { Refusal } from '../../../contract/licenses/license-verdict.ts';
import { leaseStart, leaseUntil } from '../../../contract/licenses/seats.ts';
import type { heartbeat, heartbeatResult } from '../../../contract/programs/installations.ts';
import type { TokenReason } from '../../../contract/programs/license-token.ts';
import type { AppContext } from '../../context.ts';
import { isOwnSoftware } from '../software/asked-software.ts';
import type { CheckedLicense } from './checks/note-check.ts';
import { dayHeard, noteHeard } from './heard.ts';
import { findMachine, findMachineWithTerms, stampBeat, stampHeartbeat } from './installations.queries.ts';
import { holdSeat } from './lapsed-seats.ts';
import type { Admission } from './license-key-guard.ts';
import { HEARTBEAT_REST_MS, tokenUntil } from './released-seats.ts';
import { noSeat, ProgramRefusal, signedPart, unknownKey } from './signed-answers.ts';

type Context = Pick<AppContext, 'db' | 'now' | 'config' | 'secrets'>;
type Heartbeat = z.output<typeof heartbeat>;
type Result = z.output<typeof heartbeatResult>;
type Machine = NonNullable<Awaited<ReturnType<typeof findMachine>>>;
/** A machine with a seat. `ends`: the end of the token in the answer; null if it wants none. */
type HeldMachine = Machine & { installation_id: number; ends: string | null };

/**
 * Stores a heartbeat, with the server's clock (D109). A heartbeat writes no event (EVENT-03).
 * @param admit called with the licence before any other check; may throw
 * @param note called with the verdict about the licence after the heartbeat was stored
 * @throws ProgramRefusal 404 license_not_found for an unknown key, 403 wrong_software, 404 not_found for a machine
 * without a seat or whose lease has ended
 */
export async function takeHeartbeat(
  context: Context,
  asked: Heartbeat,
  admit: Admission['known'],
  note: NoteBeat,
): Promise<Result> {
  const { license_key, machine_id, nonce, software } = asked;
  if (nonce !== undefined || software !== undefined) return answerInFull(context, asked, admit, note);
  const machine = await findMachine(context.db, license_key, machine_id);
  if (!machine) throw unknownKey();
  admit(admittedOf(machine), machine.installation_id !== null);
  if (machine.installation_id === null) throw noSeat(null, checkedOf(machine));
  const held = { ...machine, installation_id: machine.installation_id, ends: null };
  const now = context.now();
  const answer = await stampAndAnswer(context, asked, held, null, now);
  note(checkedOf(machine), reasonFor(asked, machine, now, context.config.timeZone));
  return answer;
}

type NoteBeat = (license: CheckedLicense, reason: Refusal | null) => void;

const checkedOf = ({ license_id, software_id }: Machine): CheckedLicense => ({ id: license_id, software_id });

const admittedOf = ({ license_id, max_installations }: Machine) => ({ id: license_id, max_installations });

/** Why the licence is not valid for a program that has a seat; null if it is. */
const reasonFor = (
  { released_on }: Heartbeat,
  machine: Machine,
  now: Date,
  timeZone: string,
): TokenReason | null =>
  licenseRefusal(machine, now, timeZone) ??
  (updatesEnded(machine.updates_until, released_on) ? 'updates_ended' : null);

/** Answers a program that sends its software or wants a signed answer, which needs more columns of the licence. */
async function answerInFull(
  context: Context,
  asked: Heartbeat,
  admit: Admission['known'],
  note: NoteBeat,
): Promise<Result> {
  const { db, now, config } = context;
  const { nonce } = asked;
  const machine = await findMachineWithTerms(db, asked.license_key, asked.machine_id);
  if (!machine) throw unknownKey();
  admit(admittedOf(machine), machine.installation_id !== null);
  if (asked.software !== undefined && !(await isOwnSoftware(db, asked.software, machine))) {
    throw new ProgramRefusal(403, 'wrong_software', { license: machine, reason: 'wrong_software' });
  }
  if (machine.installation_id === null) throw noSeat(machine);
  const time = now();
  const { timeZone } = config;
  const reason = reasonFor(asked, machine, time, timeZone);
  const at = time.toISOString();
  const lease = leaseUntil(machine, { installation_date: at, last_heartbeat: at });
  const ends =
    reason === null ? tokenUntil(machine, { nonce, leaseUntil: lease }, { now: time, timeZone }) : null;
  const held = { ...machine, installation_id: machine.installation_id, ends };
  const answer = await stampAndAnswer(context, asked, held, machine, time);
  note(machine, reason);
  const { lease_until } = answer.installation;
  const verdict = { license: machine, reason, hasSeat: true, leaseUntil: lease_until ?? null };
  return { ...answer, ...(await signedPart(context, 'heartbeat', asked, verdict)) };
}

async function stampAndAnswer(
  { db, config }: Context,
  asked: Heartbeat,
  machine: HeldMachine,
  license: Parameters<typeof noSeat>[0],
  time: Date,
): Promise<Result> {
  const { status, expiry_date, installation_id, lease_minutes } = machine;
  const at = await storedTime(db, asked, machine, time);
  if (at === null) throw noSeat(license, checkedOf(machine));
  const lease_until = leaseUntil({ lease_minutes }, { installation_date: at, last_heartbeat: at });
  const grace_until = graceUntil(machine, time, config.timeZone);
  return {
    success: true,
    installation: {
      id: installation_id,
      machine_id: asked.machine_id,
      last_heartbeat: at,
      is_active: isInstallationActive(at, time),
      ...(lease_until !== null && { lease_until }),
    },
    license: {
      status,
      is_expired: isExpired(expiry_date, time),
      ...(updatesEnded(machine.updates_until, asked.released_on) && { updates_ended: true as const }),
      ...(grace_until !== null && { in_grace: true, grace_until }),
      ...(machine.activate_by !== null && { pending_start: true as const }),
      days_remaining: daysRemaining(expiry_date, time, config.timeZone),
    },
  };
}

/**
 * Stores a heartbeat. A repeated heartbeat of a fixed seat within a minute is not written if it reports nothing new.
 * A heartbeat of a floating seat is always written, because it extends the lease (PROG-05).
 * @returns the time of the stored heartbeat; null for a floating seat whose lease has ended
 */
async function storedTime(
  db: Context['db'],
  asked: Heartbeat,
  machine: HeldMachine,
  time: Date,
): Promise<string | null> {
  const at = time.toISOString();
  const stamp = {
    at,
    tokenUntil: machine.ends,
    ipAddress: asked.ip_address || machine.ip_address || '',
    appVersion: asked.app_version || machine.app_version || '',
    os: asked.os || machine.os || '',
  };
  const { installation_id: id, lease_minutes, last_heartbeat: last } = machine;
  const isSameDay = last !== null && dayHeard(last) === dayHeard(at);
  if (lease_minutes !== null) {
    const isHeld = await holdSeat(db, { id, since: leaseStart(lease_minutes, time), ...stamp });
    if (isHeld && !isSameDay) await noteHeard(db, machine.license_id, at);
    return isHeld ? at : null;
  }
  const saysNothingNew =
    stamp.ipAddress === machine.ip_address &&
    stamp.appVersion === machine.app_version &&
    stamp.os === machine.os;
  const rests = last !== null && time.getTime() - Date.parse(last) < HEARTBEAT_REST_MS;
  // The stored end of a token may be too early by HEARTBEAT_REST_MS, but not by more.
  const known = machine.token_until === null ? 0 : Date.parse(machine.token_until) + HEARTBEAT_REST_MS;
  const isKnown = machine.ends === null || Date.parse(machine.ends) <= known;
  if (rests && saysNothingNew && isKnown) return last;
  await (saysNothingNew && isSameDay ? stampBeat(db, id, stamp) : stampHeartbeat(db, id, stamp));
  if (!isSameDay) await noteHeard(db, machine.license_id, at);
  return at;
}
