import type { z } from 'zod';
import { daysRemaining, isExpired, isInstallationActive } from '../../../contract/base/time.ts';
import { graceUntil, refusalOf, updatesEnded } from '../../../contract/licenses/license-state.ts';
import { leaseStart, leaseUntil } from '../../../contract/licenses/seats.ts';
import type { heartbeat, heartbeatResult } from '../../../contract/programs/installations.ts';
import type { AppContext } from '../../context.ts';
import { isOtherSoftware } from '../software/asked-software.ts';
import { type findMachine, renameMachine, stampBeat, stampHeartbeat } from './installations.queries.ts';
import { renewSeatLease } from './lapsed-seats.ts';
import { signalDay, storeLastSignal } from './last-signals.ts';
import { collectMachineName } from './machine-names.ts';
import { HEARTBEAT_REST_MS, tokenUntil } from './released-seats.ts';
import { type Answered, ProgramRefusal } from './signed-answers.ts';

type Context = Pick<AppContext, 'db' | 'now' | 'config'>;
type Heartbeat = z.output<typeof heartbeat>;
type Result = Omit<z.output<typeof heartbeatResult>, 'token'>;
type Machine = NonNullable<Awaited<ReturnType<typeof findMachine>>>;
/** A machine with a seat. `ends`: the end of the token in the answer; null if it wants none. */
type SeatedMachine = Machine & { installation_id: number; ends: string | null };

/**
 * Stores a heartbeat, with the server's clock (D109). A heartbeat writes no event (EVENT-03). The state of the licence
 * refuses no heartbeat: the verdict about it is collected, and signed if the program wants that.
 * @throws ProgramRefusal wrong_software; not_activated for a machine without a seat or whose lease has ended
 */
export async function takeHeartbeat(
  context: Context,
  asked: Heartbeat,
  machine: Machine,
): Promise<Answered<Result>> {
  const {
    db,
    now,
    config: { timeZone },
  } = context;
  const time = now();
  // Without terms, the program sent neither its software nor a nonce.
  const terms = 'software_code' in machine ? machine : null;
  const isOther = terms !== null && (await isOtherSoftware(db, asked.software, terms));
  const hasSeat = machine.installation_id !== null;
  const refusal = refusalOf({ isOther, hasSeat, require_seat: true }, time, timeZone);
  if (refusal) throw new ProgramRefusal(refusal, terms, machine);
  const reason = refusalOf({ license: machine, released_on: asked.released_on }, time, timeZone);
  const at = time.toISOString();
  const lease = leaseUntil(machine, { installation_date: at, last_heartbeat: at });
  const ends =
    terms === null || reason !== null
      ? null
      : tokenUntil(terms, { nonce: asked.nonce, leaseUntil: lease }, { now: time, timeZone });
  const seat = { ...machine, installation_id: machine.installation_id!, ends };
  const stored = await storedTime(db, asked, seat, time);
  if (stored === null) throw new ProgramRefusal('not_activated', terms, machine);
  const said = { machine_id: asked.machine_id, machine_name: asked.machine_name || machine.machine_name! };
  const isRenamed = said.machine_name !== machine.machine_name;
  if (isRenamed || machine.known_as !== said.machine_id) {
    await renameMachine(db, seat.installation_id, said, isRenamed ? time.toISOString() : null);
    if (isRenamed) collectMachineName(context, said, machine.id);
  }
  const answer = answerOf(asked, seat, { at: stored, now: time, timeZone });
  const verdict = { license: terms, reason, hasSeat: true, leaseUntil: answer.installation.lease_until };
  return { answer, verdict, checked: machine };
}

/** @param at the time of the stored heartbeat */
function answerOf(
  asked: Heartbeat,
  machine: SeatedMachine,
  { at, now, timeZone }: { at: string; now: Date; timeZone: string },
): Result {
  const { status, expiry_date, installation_id, lease_minutes } = machine;
  const lease_until = leaseUntil({ lease_minutes }, { installation_date: at, last_heartbeat: at });
  const grace_until = graceUntil(machine, now, timeZone);
  return {
    success: true,
    installation: {
      id: installation_id,
      machine_id: asked.machine_id,
      last_heartbeat: at,
      is_active: isInstallationActive(at, now),
      ...(lease_until !== null && { lease_until }),
    },
    license: {
      status,
      is_expired: isExpired(expiry_date, now),
      ...(updatesEnded(machine.updates_until, asked.released_on) && { updates_ended: true as const }),
      ...(grace_until !== null && { in_grace: true, grace_until }),
      ...(machine.activate_by !== null && { pending_start: true as const }),
      days_remaining: daysRemaining(expiry_date, now, timeZone),
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
  machine: SeatedMachine,
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
  const isSameDay = last !== null && signalDay(last) === signalDay(at);
  if (lease_minutes !== null) {
    const isRenewed = await renewSeatLease(db, { id, since: leaseStart(lease_minutes, time), ...stamp });
    if (isRenewed && !isSameDay) await storeLastSignal(db, machine.id, at);
    return isRenewed ? at : null;
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
  if (!isSameDay) await storeLastSignal(db, machine.id, at);
  return at;
}
