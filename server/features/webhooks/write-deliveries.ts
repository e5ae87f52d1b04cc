import type { Event } from '../../../contract/system/events.ts';
import { subjectKindOf } from '../../../contract/system/events.ts';
import { subscribes } from '../../../contract/system/webhooks.ts';
import type { PublishEvent } from '../../context.ts';
import { prepared } from '../../db/prepared.ts';
import { toEvent } from '../events/events.queries.ts';
import { insertDelivery } from './deliveries.queries.ts';
import { recordOf, withoutHidden } from './event-records.ts';
import { createMessageId } from './signature.ts';
import { WEBHOOK_JOB } from './webhook-job-kind.ts';
import { typesOf } from './webhooks.queries.ts';

const activeWebhooks = prepared((db, _none: Record<never, never>) =>
  db.selectFrom('webhooks').select(['id', 'types']).where('is_active', '=', true),
);

/** The actor as webhooks name it: of who acted in the portal for a client, the client alone (DESK-02). */
const withoutContact = ({ actor, client }: Event): Event['actor'] =>
  actor.kind === 'client' && client ? { ...actor, name: client.name } : actor;

/**
 * Writes a message for each active webhook that gets events of this type, in the event's transaction (HOOK-02). All
 * webhooks get the same body, with the record in its present state (HOOK-01). A webhook gets no message about itself.
 */
export const writeDeliveries: PublishEvent = async (scope, event) => {
  const { tx } = scope;
  const isOwn = (id: number) => subjectKindOf(event.type) === 'webhook' && event.subject_id === id;
  const subscribers = (await activeWebhooks(tx, {})).filter(
    (webhook) => subscribes(typesOf(webhook), event.type) && !isOwn(webhook.id),
  );
  if (subscribers.length === 0) return;
  const described = toEvent(event);
  const body = JSON.stringify({
    type: event.type,
    timestamp: event.at,
    data: {
      ...described,
      actor: withoutContact(described),
      changes: withoutHidden(described.changes),
      record: await recordOf(scope, event),
    },
  });
  for (const { id } of subscribers) {
    await insertDelivery(tx, {
      webhook_id: id,
      message_id: createMessageId(),
      event_id: event.id,
      type: event.type,
      body,
      created_at: event.at,
    });
  }
  scope.nudgeJobs(WEBHOOK_JOB);
};
