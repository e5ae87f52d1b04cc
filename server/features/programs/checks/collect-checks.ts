import { localDay } from '../../../../contract/base/time.ts';
import type { Refusal } from '../../../../contract/licenses/license-state.ts';
import type { CheckCall } from '../../../../contract/programs/checks.ts';
import { normalizeLicenseKey } from '../../../../contract/reading/license-keys.ts';
import type { AppContext } from '../../../context.ts';
import { perDatabase } from '../../../db/per-database.ts';
import { CollectedChecks } from './collected-checks.ts';
import {
  type LicenseCheck,
  storeLicenseChecks,
  storeUnknownChecks,
  type UnknownCheck,
} from './store-checks.ts';

/**
 * Checks of programs are collected in memory and stored together some seconds later, so that no answer waits for it
 * (SELL-07). A process that is killed loses the checks since it last stored.
 */

type Context = Pick<AppContext, 'db' | 'now' | 'config' | 'secrets'>;

/** From the first collected check until the start of storing; together with storing, less than 10 s. */
const STORE_AFTER_MS = 8000;
/** Limits the memory if the database cannot be reached for long; further checks are dropped then. */
const WAITING_MAX = 100_000;
const UNKNOWN_WAITING_MAX = 5000;

/** The facts about a licence that are stored with its checks. */
export type CheckedLicense = { id: number; software_id: number };

/** The call of a program. */
type Asked = {
  ip: string;
  body: { license_key: string; machine_id: string; app_version?: string | null | undefined };
};

type Collected = {
  licenses: CollectedChecks;
  unknown: Map<string, UnknownCheck>;
  /** The local day, cached for the minute of the last check. */
  minute: number;
  day: string;
  timer: NodeJS.Timeout | undefined;
  storing: Promise<void> | undefined;
};

/** The checks that this process has collected. */
const collectedOf = perDatabase(
  (): Collected => ({
    licenses: new CollectedChecks(),
    unknown: new Map(),
    minute: Number.NaN,
    day: '',
    timer: undefined,
    storing: undefined,
  }),
);

/**
 * Collects a check of a program. It does not write to the database, so it takes some microseconds and cannot fail.
 * @param license null for a key that no licence has
 * @param reason why the licence is not valid; null if it is valid
 */
export function collectCheck(
  context: Context,
  call: CheckCall,
  asked: Asked,
  license: CheckedLicense | null,
  reason: Refusal | null,
): void {
  const collected = collectedOf(context.db);
  const now = context.now();
  const minute = Math.floor(now.getTime() / 60_000);
  if (minute !== collected.minute) {
    collected.minute = minute;
    collected.day = localDay(now, context.config.timeZone);
  }
  if (license === null) collectUnknown(context, collected, call, asked, now);
  else collectOfLicense(collected, asked, license, { call, reason: reason ?? '', today: collected.day }, now);
  if (collected.timer === undefined) startTimer(context, collected);
}

function collectOfLicense(
  { licenses }: Collected,
  { ip, body: { machine_id, app_version } }: Asked,
  { id, software_id }: CheckedLicense,
  answer: Pick<LicenseCheck, 'call' | 'reason' | 'today'>,
  now: Date,
): void {
  const known = licenses.find(id, machine_id, answer);
  if (known) {
    known.count += 1;
    known.time = now.getTime();
    known.ip = ip;
    known.app_version = app_version ?? '';
  } else if (licenses.size < WAITING_MAX) {
    licenses.add({
      license_id: id,
      software_id,
      machine_id,
      call: answer.call,
      reason: answer.reason,
      today: answer.today,
      app_version: app_version ?? '',
      ip,
      time: now.getTime(),
      count: 1,
    });
  }
}

/** The purpose of the keyed hash of a typed key. */
const KEY_PURPOSE = 'unknown key';

/** The keyed hash under which calls with an unknown key are stored. */
export const hashOfTyped = ({ secrets }: Pick<Context, 'secrets'>, typed: string): string =>
  secrets.digest(normalizeLicenseKey(typed), KEY_PURPOSE);

/** Only of texts with at least this many letters the ends are stored. */
const SHOWN_FROM = 10;

/** The beginning and the end of a typed key, as in 'K7•••CA'; only '•••' for a short text. */
function endsOfTyped(typed: string): string {
  const letters = [...normalizeLicenseKey(typed)];
  return letters.length < SHOWN_FROM
    ? '•••'
    : `${letters.slice(0, 2).join('')}•••${letters.slice(-2).join('')}`;
}

function collectUnknown(
  context: Context,
  { unknown, day }: Collected,
  call: CheckCall,
  { ip, body: { license_key, machine_id } }: Asked,
  now: Date,
): void {
  const key_hash = hashOfTyped(context, license_key);
  const key = `${key_hash} ${call} ${day} ${machine_id}`;
  const known = unknown.get(key);
  if (known) {
    known.count += 1;
    known.time = now.getTime();
    known.ip = ip;
  } else if (unknown.size < UNKNOWN_WAITING_MAX) {
    const typed = endsOfTyped(license_key);
    unknown.set(key, { key_hash, call, machine_id, typed, ip, time: now.getTime(), today: day, count: 1 });
  }
}

function startTimer(context: Context, collected: Collected): void {
  collected.timer = setTimeout(() => {
    // Checks that cannot be stored stay in memory, and the timer is started again.
    void storeCollectedChecks(context).catch(() => {});
  }, STORE_AFTER_MS);
  collected.timer.unref();
}

/**
 * Stores the checks that were collected until now.
 * @throws the database's error; checks that were not stored stay in memory for the next time
 */
export async function storeCollectedChecks(context: Context): Promise<void> {
  const collected = collectedOf(context.db);
  while (collected.storing) await collected.storing.catch(() => {});
  clearTimeout(collected.timer);
  collected.timer = undefined;
  const licenses = collected.licenses.list();
  const unknown = [...collected.unknown.values()];
  collected.licenses = new CollectedChecks();
  collected.unknown = new Map();
  collected.storing = (async () => {
    await storeLicenseChecks(context.db, licenses);
    await storeUnknownChecks(context.db, unknown);
  })();
  try {
    await collected.storing;
  } catch (error) {
    waitAgain(collected, { licenses, unknown });
    if (collected.timer === undefined) startTimer(context, collected);
    throw error;
  } finally {
    collected.storing = undefined;
  }
}

/** Puts checks that were not stored back into memory. */
function waitAgain(collected: Collected, left: { licenses: LicenseCheck[]; unknown: UnknownCheck[] }): void {
  for (const check of left.licenses) {
    const known = collected.licenses.find(check.license_id, check.machine_id, check);
    if (known) known.count += check.count;
    else if (collected.licenses.size < WAITING_MAX) collected.licenses.add(check);
  }
  for (const check of left.unknown) {
    const { key_hash, call, today, machine_id } = check;
    const key = `${key_hash} ${call} ${today} ${machine_id}`;
    const known = collected.unknown.get(key);
    if (known) known.count += check.count;
    else if (collected.unknown.size < UNKNOWN_WAITING_MAX) collected.unknown.set(key, check);
  }
}
