import type { LookupAddress } from 'node:dns';
import type { Kysely } from 'kysely';
import type { Config } from './config.ts';
import type { ReadLately } from './db/read-standby.ts';
import type { Db, EventRow, Tables } from './db/tables.ts';
import type { SecretBox } from './lib/secret-box.ts';
import type { Mailer } from './mailer.ts';

/**
 * Called for each event in its transaction, if any webhook is active (HOOK-02). `scope` is the scope of the event.
 * The records are in the state that the event describes; a deleted record is not deleted yet.
 */
export type PublishEvent = (
  scope: { tx: Db; now: Date; timeZone: string; nudgeJobs: (kind: string) => void },
  event: EventRow,
) => Promise<void>;

/** The API's document and its page, as they are sent. */
export type ApiPages = { document: Uint8Array; page: Uint8Array };

/** The dependencies of the features, created once in start.ts or in a test. */
export type AppContext = {
  config: Config;
  db: Kysely<Tables>;
  /** The same database for work that may take longer than a request: demo data, housekeeping. */
  forLongWork: Kysely<Tables>;
  /** Reads data that may be some seconds old; uses the standby if there is one. */
  readLately: ReadLately;
  mailer: Mailer;
  /** Encrypts the secrets that the database stores and the program must read again. */
  secrets: SecretBox;
  /** The clock. Every time rule uses it, so that a test can set the time. */
  now: () => Date;
  /** Writes the webhook messages of an event. */
  publish: PublishEvent;
  /** Looks up the addresses of a host name with the system's resolver. A test may replace it. */
  lookUp: (name: string) => Promise<LookupAddress[]>;
  /** Starts the look-up of due jobs of a kind now; without this call the runner finds them at its next poll. */
  nudgeJobs: (kind: string) => void;
  /** Makes the API's document and page apart from the calls. Default: in this thread, for tests. */
  makeApiPages?: () => Promise<ApiPages>;
  /** True after the server got its stop signal: running requests finish, and no new ones should arrive. */
  isDraining: () => boolean;
};
