import type { Generated } from 'kysely';
import type {
  DeliveryStatus,
  WebhookDisabledReason,
  WebhookProblem,
} from '../../../contract/system/webhooks.ts';

/** The addresses that get a message for each event (HOOK-01). */
export type WebhooksTable = {
  id: Generated<number>;
  url: string;
  /** JSON: the event types that it gets, with wildcards. */
  types: string;
  description: string;
  is_active: boolean;
  disabled_reason: WebhookDisabledReason | null;
  disabled_at: string | null;
  /** Both secrets are encrypted with SECRET_KEY. Until `old_secret_until`, messages are signed with the old one too. */
  secret: string;
  old_secret: string | null;
  old_secret_until: string | null;
  /** The failed attempts since the last success, the time of the first of them, and the time of the next attempt. */
  failures: number;
  failing_since: string | null;
  next_attempt_at: string | null;
  created_at: string;
  updated_at: string;
};

/**
 * The messages, written in the transaction of their event. There is no foreign key to the webhook, so that an event
 * takes no lock on it. Housekeeping deletes the messages of webhooks that were deleted.
 */
export type WebhookDeliveriesTable = {
  id: Generated<number>;
  webhook_id: number;
  message_id: string;
  /** Null for a test message. */
  event_id: number | null;
  type: string;
  /** The JSON text that is signed and sent. */
  body: string;
  status: DeliveryStatus;
  /** The number of automatic attempts. */
  tries: number;
  /** For a message that was set aside because its receiver accepts other messages: the time of the next attempt. */
  due_at: string | null;
  created_at: string;
  finished_at: string | null;
};

type WebhookAttemptsTable = {
  id: Generated<number>;
  delivery_id: number;
  at: string;
  duration_ms: number;
  status: number | null;
  problem: WebhookProblem | null;
  /** The first kilobyte of the receiver's answer. */
  answer: string | null;
  by_hand: boolean;
};

export type WebhookTables = {
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_attempts: WebhookAttemptsTable;
};
