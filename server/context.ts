import type { Kysely } from 'kysely';
import type { Config } from './config.ts';
import type { Tables } from './db/tables.ts';
import type { Mailer } from './mailer.ts';

/** What the features are given; made once, in start.ts or in a test. */
export type AppContext = {
  config: Config;
  db: Kysely<Tables>;
  /** The same database for what takes longer than a request may: first rows, housekeeping. */
  forLongWork: Kysely<Tables>;
  mailer: Mailer;
  /** The clock. Every rule about time is asked with it, so that a test may choose the moment. */
  now: () => Date;
  /** Tells the runner of jobs that there is work; it would find it by itself a little later. */
  nudgeJobs: () => void;
  /** True from the moment the server was told to stop: what is under way is finished, nothing new should come. */
  isDraining: () => boolean;
};
