import type { Refusal } from '../../../contract/licenses/license-verdict.ts';
import type { CheckCall } from '../../../contract/programs/checks.ts';
import type { AppContext } from '../../context.ts';
import { rateLimited } from '../../errors.ts';
import { callerOf } from '../../http/caller-address.ts';
import { countFailure, type Limit } from '../../limits/throttle.ts';
import { throttleKey } from '../../limits/throttle-key.ts';
import { type CheckedLicense, noteCheck } from './checks/note-check.ts';
import { type AskedByProgram, type ProgramCall, ProgramRefusal } from './signed-answers.ts';

/**
 * Limits calls with unknown keys, with one counter for validation, activation, heartbeat and release. Calls with
 * valid keys are not counted, so an office whose machines share an address is not affected (promises: Who gets in).
 */
const UNKNOWN_KEY_LIMIT: Limit = { failures: 20, windowMs: 10 * 60_000 };
/** The limit per machine protects the server from a program that calls in a loop; each replica counts separately. */
const CALLS_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/**
 * Counts a call with an unknown key.
 * @throws rateLimited (429) above the limit for its address
 */
export const countUnknownKey = (context: AppContext, address: string): Promise<void> =>
  countFailure(context.db, throttleKey('license-key', callerOf(address)), UNKNOWN_KEY_LIMIT, context.now());

/**
 * Runs a call of an installed program. A refusal is counted if its key is unknown, and signed if the program sent a
 * nonce (PROG-01).
 * @param note called with the refused licence and the reason
 * @throws rateLimited (429) in place of license_not_found, above the limit for its address
 */
export async function answerProgram<Result>(
  context: AppContext,
  call: ProgramCall,
  { ip, body }: ProgramRequest,
  work: () => Promise<Result>,
  note?: NoteVerdict,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProgramRefusal) {
      if (error.code === 'license_not_found') await countUnknownKey(context, ip);
      note?.(error.checked, error.verdict.reason);
      await error.sign(context, call, body);
    }
    throw error;
  }
}

type ProgramRequest = { ip: string; body: AskedByProgram & { app_version?: string | null | undefined } };

/** Records the answer to a program: `license` is null for an unknown key, `reason` is null for a valid licence. */
type NoteVerdict = (license: CheckedLicense | null, reason: Refusal | null) => void;

/** Makes the function that records the answer to a call of an installed program (SELL-07). */
export const noterOf =
  (context: AppContext, call: CheckCall, request: ProgramRequest): NoteVerdict =>
  (license, reason) =>
    noteCheck(context, call, request, license, reason);

/**
 * How many machines without a seat one address may send in a minute, in addition to twice the seats: more than could
 * wait for a free seat in one office.
 */
const MACHINES_BEYOND = 300;

type Minute = { number: number; calls: Map<string, number> };

/** The present minute of each application in this process; only tests have several applications. */
const minutes = new WeakMap<AppContext, Minute>();

/** The seats of the licence and the caller's address, for a machine without a seat, whose id may be invented. */
type Named = { seats: number; ip: string };

/**
 * Limits one machine of a licence to 60 calls a minute, over validation, activation, heartbeat and release. The
 * counts are in memory, because a count shared by replicas would cost a write for each call
 * (docs/decisions/007-limits-of-installed-programs.md). Each new machine id gets its own count. So one address may
 * send in a minute at most twice as many machine ids as the licence has seats, plus {@link MACHINES_BEYOND}.
 * @param named absent for a machine that holds a seat
 * @throws rateLimited (429) with the seconds until the minute ends
 */
export function limitMachine(context: AppContext, licenseId: number, machineId: string, named?: Named): void {
  const time = context.now().getTime();
  const number = Math.floor(time / MINUTE_MS);
  let minute = minutes.get(context);
  if (minute?.number !== number) {
    minute = { number, calls: new Map() };
    minutes.set(context, minute);
  }
  const { calls } = minute;
  const countUp = (key: string, most: number) => {
    const count = (calls.get(key) ?? 0) + 1;
    if (count > most) throw rateLimited(((number + 1) * MINUTE_MS - time) / 1000);
    calls.set(key, count);
  };
  const key = `${licenseId} ${machineId}`;
  if (named && !calls.has(key))
    countUp(`${licenseId} from ${callerOf(named.ip)}`, 2 * named.seats + MACHINES_BEYOND);
  countUp(key, CALLS_PER_MINUTE);
}
