import { machineWarning } from '../../../contract/programs/machine-warning.ts';
import { machineKey } from '../../../contract/reading/machine-ids.ts';
import type { AppContext } from '../../context.ts';
import { perDatabase } from '../../db/per-database.ts';
import { rateLimited } from '../../errors.ts';
import { addressLimits, sharesOf } from '../../http/address-limits.ts';
import { countFailures, type Limit } from '../../limits/throttle.ts';
import type { Scope } from '../../scope.ts';
import { type LockedLicense, lockTypedLicense } from './activate-installation.ts';
import { collectCheck } from './checks/collect-checks.ts';
import {
  type Answered,
  type AskedByProgram,
  answeredPart,
  type Decided,
  type ProgramCall,
  ProgramRefusal,
  refusedPart,
} from './signed-answers.ts';

/**
 * Limits calls with unknown keys, with one counter for all calls by licence key. Calls with
 * valid keys are not counted, so an office whose machines share an address is not affected (promises: Who gets in).
 */
const UNKNOWN_KEY_LIMIT: Limit = { failures: 20, windowMs: 10 * 60_000 };
/** The limit per machine protects the server from a program that calls in a loop; each replica counts separately. */
const CALLS_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/** The licence that a call found. */
type FoundLicense = { id: number; max_installations: number };

type ProgramRequest = { ip: string; body: AskedByProgram & { app_version?: string | null | undefined } };

/**
 * What every call by licence key passes before its work: a machine that calls too often, or an address with too many
 * invented machines, is refused (docs/decisions/007 and 114).
 * @param license what the call found
 * @param holdsSeat whether the machine is known to have a seat; else its id may be invented
 * @returns the licence
 * @throws ProgramRefusal not_found for an unknown key; rateLimited (429)
 */
export function authorized<License extends FoundLicense>(
  context: AppContext,
  { ip, body }: ProgramRequest,
  license: License | undefined,
  holdsSeat = false,
): License {
  if (!license) throw new ProgramRefusal('not_found', null);
  limitMachine(context, license, body.machine_id, holdsSeat ? null : ip);
  return license;
}

/**
 * The locked licence of a call.
 * @throws as {@link authorized}
 */
export const lockAuthorized = async (
  { tx }: Scope,
  context: AppContext,
  request: ProgramRequest,
): Promise<LockedLicense> =>
  authorized(context, request, await lockTypedLicense(tx, request.body.license_key));

/**
 * Counts a call with an unknown key against its address.
 * @throws rateLimited (429)
 */
export const countUnknownKey = (context: AppContext, { ip }: { ip: string }): Promise<void> =>
  countFailures(context.db, addressLimits('license-key', ip, UNKNOWN_KEY_LIMIT), context.now());

/**
 * Runs a call of an installed program. A refusal is counted if its key is unknown. Counting writes to the database, so
 * it waits until the call's own transaction has ended.
 * @throws rateLimited (429) in place of license_not_found, above the limit for its address
 */
export async function countingUnknownKeys<Result>(
  context: AppContext,
  request: { ip: string },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProgramRefusal && error.verdict.reason === 'not_found') {
      await countUnknownKey(context, request);
    }
    throw error;
  }
}

/**
 * Runs a call of an installed program whose answer is collected for 'Actividad' (SELL-07), and signed if the program
 * sent a nonce (PROG-01), refusals too.
 * @throws as {@link countingUnknownKeys}
 */
export async function answerProgram<Answer extends object>(
  context: AppContext,
  call: ProgramCall,
  request: ProgramRequest,
  work: () => Promise<Answered<Answer>>,
): Promise<Answer & ReturnType<typeof machineWarning> & Awaited<ReturnType<typeof answeredPart>>> {
  const collect = ({ verdict, checked }: Decided) => {
    if (call !== 'release' && call !== 'usage') collectCheck(context, call, request, checked, verdict.reason);
  };
  try {
    const decided = await countingUnknownKeys(context, request, work);
    collect(decided);
    const beside = await answeredPart(context, call, request.body, decided);
    return { ...decided.answer, ...machineWarning(request.body.machine_id), ...beside };
  } catch (error) {
    if (error instanceof ProgramRefusal) {
      collect(error);
      error.token = await refusedPart(context, call, request.body, error);
    }
    throw error;
  }
}

/**
 * How many machines without a seat one address may send in a minute, in addition to twice the seats: more than could
 * wait for a free seat in one office.
 */
const MACHINES_BEYOND = 300;

/** The present minute, and its calls by their keys. */
const minuteOf = perDatabase(() => ({ number: Number.NaN, calls: new Map<string, number>() }));

/**
 * Limits one machine of a licence to 60 calls a minute, over all calls by licence key. The counts are in memory,
 * because a count shared by replicas would cost a write for each call
 * (docs/decisions/007-limits-of-installed-programs.md). Each new machine id gets its own count. So one address may
 * send in a minute at most twice as many machine ids as the licence has seats, plus {@link MACHINES_BEYOND}.
 * @param address of a machine whose id may be invented; null for a machine that holds a seat
 * @throws rateLimited (429) with the seconds until the minute ends
 */
function limitMachine(
  context: AppContext,
  { id, max_installations }: FoundLicense,
  machineId: string,
  address: string | null,
): void {
  const calls = callsOf(context);
  const key = `${id} ${machineKey(machineId)}`;
  const counters = [{ key, most: CALLS_PER_MINUTE }];
  if (address !== null && !calls.has(key)) {
    const shares = sharesOf(address, 2 * max_installations + MACHINES_BEYOND);
    counters.push(...shares.map(({ caller, most }) => ({ key: `${id} from ${caller}`, most })));
  }
  countCalls(context, counters);
}

/** How often the trial of one machine may be asked for in a minute. A program asks once when it starts. */
const TRIAL_CALLS_PER_MINUTE = 240;

/**
 * Limits how often the trial of one machine is asked for, because each answer locks its licence.
 * @throws rateLimited (429) with the seconds until the minute ends
 */
export const limitTrial = (context: AppContext, licenseId: number): void =>
  countCalls(context, [{ key: `${licenseId} trial`, most: TRIAL_CALLS_PER_MINUTE }]);

/** The calls of the present minute by their keys. */
function callsOf(context: AppContext): Map<string, number> {
  const number = Math.floor(context.now().getTime() / MINUTE_MS);
  const minute = minuteOf(context.db);
  if (minute.number !== number) {
    minute.number = number;
    minute.calls.clear();
  }
  return minute.calls;
}

/** All counters are asked before one is raised: a refused call uses up nothing and adds no key. */
function countCalls(context: AppContext, counters: readonly { key: string; most: number }[]): void {
  const calls = callsOf(context);
  if (counters.some(({ key, most }) => (calls.get(key) ?? 0) >= most)) {
    const time = context.now().getTime();
    throw rateLimited((MINUTE_MS - (time % MINUTE_MS)) / 1000);
  }
  for (const { key } of counters) calls.set(key, (calls.get(key) ?? 0) + 1);
}
