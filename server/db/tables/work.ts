import type { Generated } from 'kysely';
import type { JobState } from '../../../contract/base/jobs.ts';
import type { ActorKind, EventType } from '../../../contract/system/events.ts';

/**
 * Events; the database refuses to change or delete a row (EVENT-06). Names are as they were at the time of the event.
 */
export type EventsTable = {
  id: Generated<number>;
  at: string;
  type: EventType;
  actor_kind: ActorKind;
  actor_id: number | null;
  actor_name: string;
  subject_id: number | null;
  subject_name: string;
  client_id: number | null;
  client_name: string | null;
  license_id: number | null;
  license_key: string | null;
  software_id: number | null;
  /** JSON: the changed fields, each with its value before and after. */
  changes: string;
  reason: string | null;
  ip: string | null;
  request_id: string | null;
};

/** Has a row only while the retention job deletes events older than `before`; triggers then permit it. */
type EventRetentionTable = { before: string };

/**
 * Has a row only while the personal data of a client are erased (features/privacy); triggers then permit the change
 * of events.
 */
type EventErasureTable = { client_id: number };

/** Background jobs; each runs once across all replicas (jobs/). A finished job is deleted. */
export type JobsTable = {
  id: Generated<number>;
  kind: string;
  /** The unique name of a job that must exist only once, such as a repeated job. */
  name: string | null;
  /** JSON, in the schema of the job's definition. */
  payload: string;
  run_at: string;
  /** The end of the lease of the process that runs the job. After it another process may claim the job. */
  claimed_until: string | null;
  tries: number;
  /** The number of tries in a row that began and did not end, because the process was killed or froze. */
  unended: Generated<number>;
  last_error: string | null;
  created_at: string;
  /** When the last try failed; there is no further retry. */
  failed_at: string | null;
};

/** Bulk calls with too many records for one request. A job processes their chunks (features/bulk). */
export type BulkJobsTable = {
  id: Generated<number>;
  /** The list of the records, such as 'licenses'. */
  list: string;
  action: string;
  /** JSON: the fields of the action. */
  fields: string;
  /** Who called: the actor of the events. */
  actor_kind: ActorKind;
  actor_id: number | null;
  actor_name: string;
  ip: string | null;
  request_id: string | null;
  state: JobState;
  total: number;
  /** The number of records that were tried. */
  done: number;
  succeeded: number;
  /** JSON: the first failures. */
  failed: string;
  /** Why it stopped before all records were tried; null if it did not. */
  reason: Generated<string | null>;
  created_at: string;
  finished_at: string | null;
};

/** The records that a bulk job must still process. Each chunk is deleted in the transaction that processes it. */
type BulkChunksTable = {
  job_id: number;
  position: number;
  /** JSON: the ids of the records. */
  ids: string;
};

/** The stored answer of a creating call, for repeated calls with the same key. */
type IdempotencyKeysTable = {
  key: string;
  request_hash: string;
  status: number;
  body: string;
  created_at: string;
};

/**
 * Clients that were merged into another one (MERGE-01). `from_id` does not exist any more once `merged_at` is set;
 * before, its rows still move.
 */
type ClientMergesTable = { from_id: number; into_id: number; started_at: string; merged_at: string | null };

/** The unsubscribe links of merged clients: for the client, or with `email_key` for its contact with that address. */
type ClientMergeLinksTable = { token: string; client_id: number; email_key: string | null };

export type WorkTables = {
  client_merges: ClientMergesTable;
  client_merge_links: ClientMergeLinksTable;
  events: EventsTable;
  event_retention: EventRetentionTable;
  event_erasure: EventErasureTable;
  jobs: JobsTable;
  bulk_jobs: BulkJobsTable;
  bulk_chunks: BulkChunksTable;
  idempotency_keys: IdempotencyKeysTable;
};
