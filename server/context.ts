import type { LookupAddress } from 'node:dns';
import type { Kysely } from 'kysely';
import type { Config } from './config.ts';
import type { ReadLately } from './db/read-standby.ts';
import type { Db, EventRow, Tables } from './db/tables.ts';
import type { SecretBox } from './lib/secret-box.ts';
import type { Mailer } from './mailer.ts';

/**
 * What follows an event in its own transaction, where any webhook is active (HOOK-02). The scope is that of the event;
 * the records are still as the event found them or left them.
 */
export type PublishEvent = (
  scope: { tx: Db; now: Date; timeZone: string; nudgeJobs: (kind: string) => void },
  event: EventRow,
) => Promise<void>;

/** The dependencies of the features, created once in start.ts or in a test. */
export type AppContext = {
  config: Config;
  db: Kysely<Tables>;
  /** The same database for work that may take longer than a request: first rows, housekeeping. */
  forLongWork: Kysely<Tables>;
  /** Reads what may be some seconds old: on a standby where there is one. */
  readLately: ReadLately;
  mailer: Mailer;
  /** Encrypts what the database must keep secret and readable. */
  secrets: SecretBox;
  /** The clock. Every time rule uses it, so that a test can set the time. */
  now: () => Date;
  /** Writes the messages of an event for webhooks. */
  publish: PublishEvent;
  /** The addresses of a host name, as the system knows them. A test may name others. */
  lookUp: (name: string) => Promise<LookupAddress[]>;
  /** Tells the job runner that there is work of a kind; without it the runner finds the work at its next poll. */
  nudgeJobs: (kind: string) => void;
  /** True once the server got its stop signal: running requests finish, and new ones should not arrive. */
  isDraining: () => boolean;
};
