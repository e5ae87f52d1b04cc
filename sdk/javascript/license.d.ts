// SPDX-License-Identifier: MIT

/** The version of this SDK. */
export const VERSION: string;

/** A public key of the server, as in its JWK. It is a constant in the program. */
export interface PublicKey {
  kid: string;
  x: string;
  y: string;
}

export interface LicenseOptions {
  /** The public address of the server, such as https://licencias.example.com */
  server: string;
  /** The code of the software. */
  software: string;
  /** The current public key and the next one. */
  keys: readonly PublicKey[];
  /** The path of a file that the program may write; in a browser a name for localStorage. */
  store: string;
  /** The path of a licence file (.lic); in a browser its text. */
  file?: string;
  /** Needed in a browser. */
  machineId?: string;
  /** By default the name of the computer; at most 200 characters are sent. */
  machineName?: string;
  /** Tells copies of the program on one computer apart, each with a seat of its own. Not together with machineId. */
  instance?: string;
  /** The version of the program, which the server counts. */
  appVersion?: string;
  /** The day on which this build came out, such as 2026-11-21: a licence may include updates until a day. */
  releasedOn?: string;
  /** Seconds for each call; 5 by default. */
  timeout?: number;
  /**
   * Called in place of the global fetch, such as for a proxy, a certificate authority or Electron's net.fetch. The limits
   * of the SDK hold for it too.
   */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * Is called for each failed call, problem of the store or the file, and rule of the clock that bites. The message is an
   * English line without key and token. What it throws changes nothing.
   */
  log?: (code: LogCode, message: string) => void;
  /** Seconds since 1970, for tests. */
  clock?: () => number;
  /** Seconds that a counter which nobody sets has counted, for tests. */
  uptime?: () => number;
}

/**
 * A reason of the server, or one of the SDK: the last five. For clock_back the user sets the clock right, connects once,
 * or gets a new licence file.
 */
export type Reason =
  | 'not_found'
  | 'wrong_software'
  | 'inactive'
  | 'suspended'
  | 'cancelled'
  | 'expired'
  | 'updates_ended'
  | 'installation_limit'
  | 'not_activated'
  | 'no_connection'
  | 'unverified'
  | 'offline_expired'
  | 'clock_back'
  | 'future';

/** Why there is no fresh verdict, or why a file or a key does not count. */
export type Detail =
  | 'dns'
  | 'tls'
  | 'proxy'
  | 'timeout'
  | 'unreachable'
  | 'rate_limited'
  | 'server_error'
  | 'not_the_server'
  | 'wrong_key'
  | 'key_signs'
  | 'file_missing'
  | 'file_unreadable'
  | 'file_damaged'
  | 'file_other_machine'
  | 'file_other_software'
  | 'file_other_key';

/** Why the store cannot be used: no permission, a full disk, or another fault. */
export type StoreError = 'denied' | 'full' | 'failed';

export type LogCode =
  | Detail
  | `store_${StoreError}`
  | 'clock_back'
  | 'clock_still'
  | 'clock_file'
  | 'callback'
  | 'use_refused';

export type Feature = boolean | number | string;

export interface Result {
  /** Whether the program may run. */
  ok: boolean;
  /** Null when ok. */
  reason: Reason | null;
  /** Why there is no fresh verdict, or why reason; null where nothing is to be said. */
  detail: Detail | null;
  /** Null, or why the store cannot be used: work without connection is off. */
  storeError: StoreError | null;
  /** Only of the first result of start: it comes from what was kept, and that of the check follows. */
  pending: boolean;
  /** Whether the result comes from what was kept, or from a file. */
  offline: boolean;
  /** Whole days until the licence ends, as the console counts them; null without an end. */
  daysLeft: number | null;
  /** The licence's codes with their values; empty when not ok. */
  features: Record<string, Feature>;
  /** When the licence ends; null without an end, or where nobody said it. */
  expiresAt: Date | null;
  /** Whether the licence has ended and is in its grace. */
  inGrace: boolean;
  /** When the grace ends; null outside of it. */
  graceUntil: Date | null;
  /** Until when the program may work without connection; null when not ok. */
  offlineUntil: Date | null;
  /** The licence's type, such as 'trial'. */
  type: string | null;
  /** The licence's status, such as 'active'. */
  status: string | null;
  /** In how many seconds to check again. */
  nextCheck: number;
  /** When a floating seat is free, if nobody gives one back before; null but for `installation_limit` of a floating licence. */
  seatFreeAt: Date | null;
  /** The last day of updates, such as '2027-01-31'; null where the server says none. */
  updatesUntil: string | null;
  /** What the server refused to count since the last result. */
  refusedUses: { code: string; amount: number; reason: UseRefusal }[];
}

/** Why a use does not count: the last one for a call that the server does not take for one. */
export type UseRefusal = 'limit_reached' | 'unknown_meter' | 'out_of_time' | 'invalid';

/** The licence of this program on this computer. */
export class License {
  /** Throws a TypeError for a wrong option. */
  constructor(options: LicenseOptions);
  /**
   * Whether the program may run with this key. Call it at the start and every hour. With an empty key the licence file
   * decides, and the server is not asked. Never throws.
   */
  check(key: string): Promise<Result>;
  /**
   * The last result of this key where it is younger than these seconds, else a check that concurrent callers share. For
   * servers, which ask in each request. Never throws.
   */
  checkCached(key: string, seconds: number): Promise<Result>;
  /**
   * Calls onChange with what is kept at once, where that is good (`pending`), then checks, and again whenever nextCheck
   * says, until stop(). Calls onChange with the result of the first check, and when ok, reason, features, inGrace or offline
   * changed, or a text for the user began or ended. Keeps no program alive; a second start replaces the first.
   */
  start(key: string, onChange: (result: Result) => void): void;
  stop(): void;
  /** Whether the last check was ok and the licence has this feature. */
  has(code: string): boolean;
  /** Gives the seat of this computer back. True when the server said so, else releaseReason says why. Never throws. */
  release(key: string): Promise<boolean>;
  /** Why the last release was not true: a reason of a result, or a code of the server such as 'release_limit'. */
  readonly releaseReason: string | null;
  /** Why there was no verdict on it. */
  readonly releaseDetail: Detail | null;
  /**
   * An address of the portal for this computer's seat, for the browser: it works once, within five minutes. Null where
   * there is none; portalReason then says why. Never throws.
   */
  portalUrl(key: string): Promise<string | null>;
  /** Why the last portalUrl gave none: 'no_connection', 'unverified' or a code of the server such as 'not_found'. */
  readonly portalReason: string | null;
  /** What became of the call where the server did not say why. */
  readonly portalDetail: Detail | null;
  /**
   * Notes that something was used, beside the store; checks send it, and it counts once. True where it is kept; false
   * where less is left of a meter that refuses what is beyond, and where the amount is no whole number from 1 to
   * 1,000,000,000 (1 by default). Never throws.
   */
  use(code: string, amount?: number): Promise<boolean>;
  /**
   * Asks the server to count this now, with the key that was checked last: true only where it signed that it did. A call
   * without such an answer, said again, counts once. Never throws.
   */
  consume(code: string, amount?: number): Promise<boolean>;
  /**
   * What is left of a meter: what the last verdict said, without what waits to be sent. From the first line on, without
   * connection too. Null without a limit, and where nothing was kept.
   */
  remaining(code: string): number | null;
  /**
   * Starts the trial of this computer, or finds the one that it has: the key, for check. Null where there is none;
   * trialReason then says why, and of a trial that may not be used why not. Never throws.
   */
  startTrial(by?: { email?: string; name?: string }): Promise<string | null>;
  /** Why the last startTrial gave no key, such as 'trial_limit', or why its trial may not be used: 'trial_ended'. */
  readonly trialReason: string | null;
  /** What became of the call where the server did not say why. */
  readonly trialDetail: Detail | null;
  /** The id of this computer for this software, which a licence file is issued for. Never throws. */
  machineId(): Promise<string>;
}

/**
 * What the user of the program reads of a result: what happened and what to do. Empty where there is nothing to say.
 * Spanish unless the language is 'en'.
 */
export function messageFor(result: Result, language?: 'es' | 'en'): string;

/** What one token is judged by; times are seconds since 1970. */
export interface Judged {
  keys: readonly PublicKey[];
  software: string;
  machineId: string;
  licenseKey: string;
  releasedOn?: string;
  /** The call that was made, and its nonce, for a fresh answer. */
  call?: 'validate' | 'activate' | 'heartbeat' | 'release';
  nonce?: string;
  clock: number;
  mark: number | null;
}

/** Judges one token as docs/offline.md says. For tests; a program uses License. */
export function judge(
  kind: 'fresh' | 'stored' | 'file',
  input: string,
  by: Judged,
): Promise<
  { accepted: true; valid: boolean; reason: Reason | null; mark: number } | { accepted: false; error: string }
>;
