import { refusalOf } from '../../../contract/licenses/license-state.ts';
import { type MeterSpan, type MeterTerm, meterSpan } from '../../../contract/licenses/meter-period.ts';
import { type Meter, type Meters, remainingOf } from '../../../contract/licenses/meters.ts';
import { hasLapsed } from '../../../contract/licenses/seats.ts';
import type { TokenUse } from '../../../contract/programs/license-token.ts';
import {
  USAGE_EARLY_MINUTES,
  USAGE_LATE_DAYS,
  type UsageAnswer,
  type UsageRecord,
  type UsageRefusal,
  type UsageReport,
} from '../../../contract/programs/usage.ts';
import type { AppContext } from '../../context.ts';
import { readsInProcess } from '../../db/dialect.ts';
import { readMeters } from '../../db/features.ts';
import type { Db } from '../../db/tables.ts';
import { workTogether } from '../../db/together.ts';
import { record } from '../../records/record-event.ts';
import { type Actor, inScope, type Origin, type Scope, SYSTEM } from '../../scope.ts';
import { licenseRecord } from '../licenses/license.record.ts';
import { getLicenseRow } from '../licenses/licenses.queries.ts';
import { type Answered, ProgramRefusal } from '../programs/signed-answers.ts';
import { isOtherSoftware } from '../software/asked-software.ts';
import { foldRepeated, forgottenUntil } from './past-usage.queries.ts';
import {
  type CountedBefore,
  type CountState,
  findCounts,
  lockLicenses,
  type Metered,
  termsOf,
} from './usage.queries.ts';
import { addLocked, type CountedRecord, storeAtOnce } from './write-counts.queries.ts';

const LATE_MS = USAGE_LATE_DAYS * 24 * 60 * 60_000;
const EARLY_MS = USAGE_EARLY_MINUTES * 60_000;

/** A report that has passed the guards. */
type Call = { license: Metered; meters: Meters; records: UsageRecord[]; actor: Actor; origin: Origin };

/** A record with its meter and the period of the count that it changes; `meter` is null for an unknown code. */
type Line = {
  call: Call;
  asked: UsageRecord;
  meter: Meter | null;
  span: MeterSpan;
  /** The key of the meter's present period. */
  present: string;
  isInTime: boolean;
};

/** What became of a record: the answer, and what a token says. */
type Said = { answer: UsageAnswer; use: TokenUse };

/** A count to which records are being added. */
type Running = CountState & { line: Line; before: number; isChanged: boolean };

/**
 * Counts the usage that a program reports (SELL-03). Each record is counted completely or not at all, independently
 * of the others. Reports that arrive together are counted in one transaction.
 * @returns an answer for each record, in the same order, and what a token says of them
 * @throws ProgramRefusal wrong_software, a reason of the licence's state, not_activated without a seat; not_found if
 * the licence was deleted meanwhile
 */
export async function reportUsage(
  context: AppContext,
  asked: UsageReport,
  license: Metered,
  origin: Origin,
): Promise<Answered<{ success: true; results: UsageAnswer[] }>> {
  const { db, now, config } = context;
  const { machine_id, nonce } = asked;
  const isOther = await isOtherSoftware(db, asked.software, license);
  const time = now();
  const { installation_date, last_heartbeat } = license;
  const hasSeat =
    installation_date !== null && !hasLapsed(license, { installation_date, last_heartbeat }, time);
  const refusal = refusalOf({ license, isOther, hasSeat, require_seat: true }, time, config.timeZone);
  if (refusal) throw new ProgramRefusal(refusal, license);
  const actor: Actor = { kind: 'machine', id: null, name: license.machine_name || machine_id };
  const meters = readMeters(license.meters);
  const answers = await countTogether(context, { license, meters, records: asked.records, actor, origin });
  if (!answers) throw new ProgramRefusal('not_found', null);
  return {
    answer: { success: true, results: answers.map(({ answer }) => answer) },
    verdict: { license, reason: null, hasSeat: true, uses: answers.map(({ use }) => use) },
    // The answers say what is left; the meters are for the token.
    checked: nonce === undefined ? null : license,
  };
}

const countTogether = workTogether(async (context: AppContext, calls: Call[]) => {
  const moment = { now: context.now(), timeZone: context.config.timeZone };
  return (
    (await countAtOnce(context, calls, moment)) ??
    inScope(context, { actor: SYSTEM }, (scope) => countLocked(scope, calls))
  );
});

type Moment = { now: Date; timeZone: string };

/**
 * Counts with one read and one statement that writes.
 * @returns null if nothing was stored, so that it must be done in a transaction; also if an event is due
 */
async function countAtOnce({ db }: AppContext, calls: Call[], moment: Moment) {
  if (readsInProcess(db)) return null;
  const { work, answers } = await decide(db, calls, moment);
  if (work.reached.length > 0 || work.forgotten.length > 0) return null;
  return (await storeAtOnce(db, work.additions(), work.counted, moment.now)) ? answers : null;
}

/** @returns the answers of each call; null if its licence was deleted meanwhile */
async function countLocked(scope: Scope, calls: Call[]): Promise<(Said[] | null)[]> {
  const { tx, now } = scope;
  const there = await lockLicenses(tx, [...new Set(calls.map(({ license }) => license.id))]);
  const found = calls.filter(({ license }) => there.has(license.id));
  const { work, answers } = await decide(tx, found, scope);
  await foldRepeated(tx, work.forgotten);
  await addLocked(tx, work.additions(), work.counted, now);
  for (const running of work.reached) await recordReached(scope, running);
  return calls.map((call) => (there.has(call.license.id) ? answers[found.indexOf(call)]! : null));
}

/** Decides about the records of some calls by the present counts, and makes the answers of each call. */
async function decide(db: Db, calls: Call[], moment: Moment) {
  const work = new Counting(moment.now);
  const timed = calls.filter(needsTerms).map(({ license }) => license.id);
  const terms = await termsOf(db, timed);
  const lines = calls.flatMap((call) =>
    call.records.map((asked) => lineOf(moment, call, asked, terms.get(call.license.id) ?? [])),
  );
  const asked = lines.map(({ call, asked: { code, request_id }, span }) => ({
    ...{ license_id: call.license.id, code, period: span.key, request_id },
  }));
  const found = lines.length === 0 ? [] : await findCounts(db, asked);
  let next = 0;
  const answers = calls.map((call) =>
    call.records.map(() => {
      next += 1;
      return work.count(lines[next - 1]!, found[next - 1]!);
    }),
  );
  return { work, answers };
}

const needsTerms = ({ meters, records }: Call): boolean =>
  records.some(({ code }) => Object.hasOwn(meters, code) && meters[code]!.period === 'term');

const countedBefore = ({ counted_code, counted_amount, counted_period }: CountedBefore) => ({
  code: counted_code,
  amount: counted_amount,
  period: counted_period,
});

const NO_SPAN: MeterSpan = { key: '', starts: null, resetsAt: null };

/**
 * The count that a record changes: its meter in the period of its time, or in the present period if its time is too
 * early or too late.
 */
function lineOf({ now, timeZone }: Moment, call: Call, asked: UsageRecord, terms: MeterTerm[]): Line {
  const present = now.toISOString();
  const late = now.getTime() - Date.parse(asked.at ?? present);
  const isInTime = late <= LATE_MS && late >= -EARLY_MS;
  const meter = Object.hasOwn(call.meters, asked.code) ? call.meters[asked.code]! : null;
  const at = isInTime ? (asked.at ?? present) : present;
  const issuedDate = call.license.issued_date;
  const spanAt = (moment: string) =>
    meter === null ? NO_SPAN : meterSpan(meter.period, moment, { issuedDate, terms, timeZone });
  return { call, asked, meter, span: spanAt(at), present: spanAt(present).key, isInTime };
}

/** The counts in a transaction, while records are added one after another. */
class Counting {
  /** The records that are counted now. */
  readonly counted: CountedRecord[] = [];
  /** Those among them whose `request_id` counted before, too long ago to be known. */
  readonly forgotten: CountedRecord[] = [];
  /** The counts that reached their limit for the first time. */
  readonly reached: Running[] = [];
  readonly #now: string;
  readonly #forgottenUntil: string;
  readonly #running = new Map<string, Running>();
  readonly #ids = new Map<string, CountedRecord>();

  constructor(now: Date) {
    this.#now = now.toISOString();
    this.#forgottenUntil = forgottenUntil(now);
  }

  count(line: Line, found: CountState & CountedBefore): Said {
    const { call, asked, meter, span } = line;
    const { id } = call.license;
    const key = `${id} ${asked.code} ${span.key}`;
    let running = this.#running.get(key);
    if (!running) {
      const { used, reached_at } = found;
      running = { line, before: used, used, reached_at, isChanged: false };
      this.#running.set(key, running);
    }
    const requestId = `${id} ${asked.request_id}`;
    const isKnown = found.counted_at !== null && found.counted_at > this.#forgottenUntil;
    const isRepeated = this.#ids.has(requestId);
    const duplicate = isKnown || isRepeated;
    const reason = duplicate ? null : this.#refusal(line, running);
    const isNew = !duplicate && reason === null;
    if (isNew) {
      running.used += asked.amount;
      running.isChanged = true;
      const { code, amount, request_id } = asked;
      const counted = { license_id: id, code, period: span.key, request_id, amount };
      this.counted.push(counted);
      if (found.counted_at !== null) this.forgotten.push(counted);
      this.#ids.set(requestId, counted);
    }
    const limit = meter?.limit ?? null;
    const isFull = limit !== null && (reason === 'limit_reached' || (isNew && running.used >= limit));
    if (isFull && running.reached_at === null) {
      running.reached_at = this.#now;
      running.isChanged = true;
      this.reached.push({ ...running });
    }
    const { used } = running;
    const state = { used, limit, remaining: remainingOf(limit, used), resets_at: span.resetsAt };
    const { request_id, code, amount } = asked;
    const accepted = reason === null;
    const before = isRepeated ? this.#ids.get(requestId)! : countedBefore(found);
    const counted = duplicate ? before : { code, amount, period: span.key };
    const use = {
      ...{ request_id, code: counted.code, amount: counted.amount, accepted },
      ...(reason !== null && { reason }),
      ...(accepted && counted.period !== line.present && ({ past: true } as const)),
    };
    return { answer: { request_id, code, accepted, duplicate, reason, ...state }, use };
  }

  #refusal({ meter, isInTime, asked }: Line, { used }: Running): UsageRefusal | null {
    if (meter === null) return 'unknown_meter';
    if (!isInTime) return 'out_of_time';
    const isOver = meter.limit !== null && used + asked.amount > meter.limit;
    return isOver && meter.overage === 'refuse' ? 'limit_reached' : null;
  }

  /** What is added to each count, with the count after it. */
  additions() {
    return [...this.#running.values()]
      .filter(({ isChanged }) => isChanged)
      .map(({ line: { call, asked, meter, span }, before, used, reached_at }) => ({
        ...{ license_id: call.license.id, code: asked.code, period: span.key, used, reached_at },
        ...{ added: used - before, base: 0, resets_at: meter?.period === 'term' ? null : span.resetsAt },
      }));
  }
}

/** Writes the event of a meter whose limit was reached; the actor is the machine whose record reached it. */
async function recordReached(scope: Scope, { line: { call, asked, meter }, used }: Running): Promise<void> {
  const { tx, now, timeZone } = scope;
  const license = await getLicenseRow(tx, call.license.id, now, timeZone);
  const { actor, origin } = call;
  await record(
    { ...scope, actor, origin },
    {
      type: 'license.usage_limit_reached',
      ...licenseRecord.about(license),
      changes: {
        code: { before: null, after: asked.code },
        used: { before: null, after: used },
        limit: { before: null, after: meter?.limit ?? null },
      },
    },
  );
}
