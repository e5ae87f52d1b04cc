import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { writtenId, writtenLimit, writtenNumber } from '../base/numbers.ts';
import { exportForm } from '../base/page.ts';
import { day } from '../base/text.ts';
import { VERB_EVENTS } from '../licenses/verbs/index.ts';

/**
 * Events: what happened to which record, and who did it. Each changed record gets one event, in the transaction of the
 * change (EVENT-01). History, audit, webhooks and statistics read events; nothing else records what happened.
 */

/** All event types. The first word is the kind of the changed record (EVENT-03). */
export const EVENT_TYPES = [
  'client.created',
  'client.updated',
  'client.deleted',
  'client.merged',
  'client.erased',
  'client.signed_in',
  'client.requested',
  'client.portal_viewed',
  'software.created',
  'software.updated',
  'software.deleted',
  'license_type.created',
  'license_type.updated',
  'license_type.deleted',
  'license.issued',
  'license.updated',
  'license.started',
  ...VERB_EVENTS,
  'license.renewal_undone',
  'license.expired',
  'license.deleted',
  'license.file_issued',
  'license.reminded',
  'license.usage_limit_reached',
  'license.usage_adjusted',
  'installation.activated',
  'installation.released',
  'note.created',
  'note.updated',
  'note.deleted',
  'payment_request.created',
  'payment_request.cancelled',
  'payment_request.expired',
  'payment_request.resolved',
  'payment_request.notified',
  'payment.received',
  'payment.refunded',
  'payment.disputed',
  'mail.sent',
  'mail.failed',
  'user.registered',
  'user.invited',
  'user.joined',
  'user.updated',
  'user.deactivated',
  'user.reactivated',
  'user.signed_in',
  'user.sign_in_failed',
  'user.password_changed',
  'user.mfa_enabled',
  'user.mfa_disabled',
  'user.mfa_reset',
  'user.passkey_added',
  'user.passkey_removed',
  'user.identity_linked',
  'user.identity_unlinked',
  'session.revoked',
  'api_key.created',
  'api_key.revoked',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.disabled',
  'settings.updated',
  'mail_template.updated',
  'import.finished',
  'signing_key.rotated',
  'job.retried',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/**
 * The kinds of actor: a user, a program of the vendor, an installed program, a client in the portal, or a background
 * job.
 */
export const ACTOR_KINDS = ['user', 'api_key', 'machine', 'client', 'system'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** The kind of record of an event type: its first word. */
type SubjectOf<Type extends EventType> = Type extends `${infer Kind}.${string}` ? Kind : never;
export type SubjectKind = SubjectOf<EventType>;

/** @returns the first word of a type, `license` of `license.issued` */
export const subjectKindOf = (type: EventType) => type.slice(0, type.indexOf('.')) as SubjectKind;

/** The fields that changed, each with its value before and after. */
const changes = z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() }));
export type Changes = z.infer<typeof changes>;

/**
 * An event in an answer (EVENT-02). Names are those at the time of the event. The history of a deleted record stays.
 */
export const event = z
  .object({
    id: z.number().int(),
    at: z.string(),
    type: z.enum(EVENT_TYPES),
    actor: z.object({
      kind: z.enum(ACTOR_KINDS),
      id: z.number().int().nullable(),
      name: z.string(),
    }),
    subject: z.object({ kind: z.string(), id: z.number().int().nullable(), name: z.string() }),
    client: z.object({ id: z.number().int(), name: z.string() }).nullable(),
    license: z.object({ id: z.number().int(), license_key: z.string() }).nullable(),
    changes,
    reason: z.string().nullable(),
    ip: z.string().nullable(),
    request_id: z.string().nullable(),
  })
  .meta({ id: 'Event' });

export type Event = z.infer<typeof event>;

const EVENTS_DEFAULT = 50;
const EVENTS_MAX = 100;

/** The number of events. */
const limit = writtenLimit(EVENTS_MAX, EVENTS_DEFAULT);

const eventType = z.enum(EVENT_TYPES);
const id = writtenId.optional();

/** Filters of the event list; `from` and `to` are local days, both included (EVENT-05). */
const eventFilters = z.object({
  type: z
    .union([eventType, z.array(eventType)])
    .transform((types) => [types].flat())
    .optional(),
  actor_kind: z.enum(ACTOR_KINDS).optional(),
  user: id,
  client: id,
  license: id,
  software: id,
  from: day.optional(),
  to: day.optional(),
});

export type EventFilters = z.output<typeof eventFilters>;

export const eventExportQuery = z.object({ ...eventFilters.shape, values: exportForm.values });

export const EVENT_MESSAGES = {
  after: 'Indica en after el id de un evento, o 0',
  oneWay: 'Indica after o before, no los dos',
  typesOfKey: 'Sin el permiso audit:read nombra en type los eventos que quieres leer',
  typesForbidden: (types: readonly string[]) =>
    `Falta el permiso para leer estos eventos: ${types.join(', ')}`,
} as const;

/** 0 stands for the position before the first event. */
const after = writtenNumber(z.int(EVENT_MESSAGES.after).min(0, EVENT_MESSAGES.after)).optional();

/**
 * `before` and `after` are ids of events. With `before` the answer has older events, newest first; with `after` newer
 * events, oldest first.
 */
export const eventQuery = z
  .object({ ...eventFilters.shape, before: id, after, limit })
  .refine((query) => query.before === undefined || query.after === undefined, {
    ...coded('not_allowed', EVENT_MESSAGES.oneWay),
    path: ['after'],
  });

/** The kinds of records that have details. */
export const LINKED_KINDS = ['client', 'license', 'software', 'license_type'] as const;

const namedRecord = z.object({ kind: z.enum(LINKED_KINDS), id: z.number().int() });
export type NamedRecord = z.infer<typeof namedRecord>;

/**
 * Events, newest first; `next_before` is the `before` of the next call, null at the end. With `after` the order is
 * oldest first; then `next_after` is the `after` of the next call, null at the end, and `next_before` is null. `gone`
 * lists records of these events that were deleted since.
 */
export const eventPage = z
  .object({
    results: z.array(event),
    next_before: z.number().int().nullable(),
    next_after: z.number().int().nullable().optional(),
    gone: z.array(namedRecord),
  })
  .meta({ id: 'EventPage' });
export type EventPage = z.infer<typeof eventPage>;
