import type { z } from 'zod';
import {
  type heartbeat,
  type heartbeatResult,
  INSTALLATION_MESSAGES,
} from '../../../contract/installations.ts';
import { graceUntil, licenseRefusal } from '../../../contract/license-verdict.ts';
import { daysRemaining, isExpired, isInstallationActive } from '../../../contract/time.ts';
import type { AppContext } from '../../context.ts';
import { isOwnSoftware } from '../software/asked-software.ts';
import { findMachine, findMachineWithTerms, stampHeartbeat } from './installations.queries.ts';
import { ProgramRefusal, signedPart } from './signed-answers.ts';

/** A repeated heartbeat within this time is not written (promises: Under load). */
const HEARTBEAT_REST_MS = 60_000;

type Context = Pick<AppContext, 'db' | 'now' | 'config' | 'secrets'>;
type Heartbeat = z.output<typeof heartbeat>;
type Result = z.output<typeof heartbeatResult>;
type Machine = NonNullable<Awaited<ReturnType<typeof findMachine>>>;

const unknownKey = () => new ProgramRefusal(404, 'license_not_found', { license: null, reason: 'not_found' });

const noSeat = (license: ProgramRefusal['verdict']['license']) =>
  new ProgramRefusal(
    404,
    'not_found',
    { license, reason: 'not_activated' },
    { message: INSTALLATION_MESSAGES.notFound },
  );

/**
 * Stores a heartbeat, with the server's clock (D109). A heartbeat is not an event (EVENT-03).
 * @param admit called with the licence's id once the machine is found; may throw
 * @throws ProgramRefusal 404 license_not_found for an unknown key, 403 wrong_software, 404 not_found for a machine
 * without a seat
 */
export async function takeHeartbeat(
  context: Context,
  asked: Heartbeat,
  admit: (licenseId: number) => void,
): Promise<Result> {
  const { license_key, machine_id, nonce, software } = asked;
  if (nonce !== undefined || software !== undefined) return answerInFull(context, asked, admit);
  const machine = await findMachine(context.db, license_key, machine_id);
  if (!machine) throw unknownKey();
  if (machine.installation_id === null) throw noSeat(null);
  admit(machine.license_id);
  return stampAndAnswer(context, asked, { ...machine, installation_id: machine.installation_id });
}

/** The same for a program that names its software or wants a signed answer, which needs more of the licence. */
async function answerInFull(
  context: Context,
  asked: Heartbeat,
  admit: (licenseId: number) => void,
): Promise<Result> {
  const { db, now, config } = context;
  const machine = await findMachineWithTerms(db, asked.license_key, asked.machine_id);
  if (!machine) throw unknownKey();
  admit(machine.license_id);
  if (asked.software !== undefined && !(await isOwnSoftware(db, asked.software, machine))) {
    throw new ProgramRefusal(403, 'wrong_software', { license: machine, reason: 'wrong_software' });
  }
  if (machine.installation_id === null) throw noSeat(machine);
  const reason = licenseRefusal(machine, now(), config.timeZone);
  const answer = await stampAndAnswer(context, asked, {
    ...machine,
    installation_id: machine.installation_id,
  });
  return { ...answer, ...(await signedPart(context, asked, { license: machine, reason, hasSeat: true })) };
}

async function stampAndAnswer(
  { db, now, config }: Context,
  { machine_id, ip_address }: Heartbeat,
  machine: Machine & { installation_id: number },
): Promise<Result> {
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
