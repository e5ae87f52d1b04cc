import type { Generated } from 'kysely';
import type {
  DeliveryStatus,
  WebhookDisabledReason,
  WebhookProblem,
} from '../../../contract/system/webhooks.ts';

/** Addresses that get a message of each event (HOOK-01). */
export type WebhooksTable = {
  id: Generated<number>;
  url: string;
  /** JSON: the types of its events, with wildcards. */
  types: string;
  description: string;
  is_active: boolean;
  disabled_reason: WebhookDisabledReason | null;
  disabled_at: string | null;
  /** Both secrets are encrypted under SECRET_KEY; the old one signs until its time. */
  secret: string;
  old_secret: string | null;
  old_secret_until: string | null;
  /** Failed attempts since the last success, since when, and when the next one is made. */
  failures: number;
  failing_since: string | null;
  next_attempt_at: string | null;
  created_at: string;
  updated_at: string;
};

/**
 * The messages, written in the transaction of their event. Without a reference to their webhook: an event takes no
 * lock on it. Housekeeping deletes those of a webhook that was deleted meanwhile.
 */
export type WebhookDeliveriesTable = {
  id: Generated<number>;
  webhook_id: number;
  message_id: string;
  /** null for a test. */
  event_id: number | null;
  type: string;
  /** The JSON text that is signed and sent. */
  body: string;
  status: DeliveryStatus;
  /** Attempts that were not made by hand. */
  tries: number;
  /** For a message that was set aside, because its receiver takes others: when it is tried again. */
  due_at: string | null;
  created_at: string;
  finished_at: string | null;
};

export type WebhookAttemptsTable = {
  id: Generated<number>;
  delivery_id: number;
  at: string;
  duration_ms: number;
  status: number | null;
  problem: WebhookProblem | null;
  /** The first kilobyte of the answer. */
  answer: string | null;
  by_hand: boolean;
};

export type WebhookTables = {
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_attempts: WebhookAttemptsTable;
};
