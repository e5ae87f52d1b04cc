import { z } from 'zod';
import { writtenNumber } from '../base/numbers.ts';
import { idParams, listQuery, pageOf } from '../base/page.ts';
import { optionalLine, requiredLine } from '../base/text.ts';
import type { Permission } from '../people/permissions.ts';
import { EVENT_TYPES, type EventType, type SubjectKind, subjectKindOf } from './events.ts';

/**
 * Webhooks: URLs of the vendor that get a message for each event (HOOK-01 to HOOK-03), as in the Standard Webhooks
 * specification. docs/webhooks.md explains how to receive them.
 */

/** The most webhooks of an installation. */
export const WEBHOOKS_MAX = 20;
/** For how many hours after a rotation messages are signed with both secrets. */
export const WEBHOOK_OVERLAP_HOURS = 24;
/** For how many days the delivery of a message is tried. */
export const WEBHOOK_RETRY_DAYS = 3;
/** A webhook that failed for this many days is disabled. */
export const WEBHOOK_FAILING_DAYS = 5;
/** How many days finished deliveries are stored. */
export const WEBHOOK_DELIVERY_DAYS = 30;
/** How long one attempt may take, in milliseconds. */
export const WEBHOOK_TIMEOUT_MS = 10_000;
/** How many bytes of a receiver's answer are read, and how many are stored. */
export const WEBHOOK_ANSWER_READ = 64 * 1024;
export const WEBHOOK_ANSWER_KEPT = 1024;

/** The type of the message that `test/` sends. It is not an event type, so no webhook can subscribe to it. */
export const WEBHOOK_TEST_TYPE = 'webhook.test';

/** A pattern for all events of one kind of record, such as `license.*`. */
type WebhookWildcard = `${ReturnType<typeof subjectKindOf>}.*`;
export const WEBHOOK_WILDCARDS: readonly WebhookWildcard[] = [
  ...new Set(EVENT_TYPES.map((type) => `${subjectKindOf(type)}.*` as const)),
];

/** All values allowed in `types`: all events, all events of a kind, one event type. */
export const WEBHOOK_TYPES: readonly string[] = ['*', ...WEBHOOK_WILDCARDS, ...EVENT_TYPES];

/**
 * The permission to read the records of each kind. A person who subscribes to events of a kind, also with `*`, needs
 * it.
 */
export const WEBHOOK_RIGHTS: Readonly<Record<SubjectKind, Permission>> = {
  client: 'clients:read',
  software: 'software:read',
  license_type: 'license_types:read',
  license: 'licenses:read',
  installation: 'licenses:read',
  note: 'clients:read',
  payment_request: 'payments:read',
  payment: 'payments:read',
  mail: 'mails:read',
  import: 'imports:run',
  user: 'audit:read',
  session: 'audit:read',
  api_key: 'audit:read',
  webhook: 'audit:read',
  settings: 'audit:read',
  mail_template: 'audit:read',
  signing_key: 'audit:read',
  job: 'audit:read',
};

/** @returns whether a webhook with these types gets events of `type` */
export const subscribes = (types: readonly string[], type: EventType): boolean =>
  types.some((word) => word === '*' || word === type || word === `${subjectKindOf(type)}.*`);

/** @returns the permission that is needed for an event of this type; null for a test, which is no event */
export function rightOf(type: string): Permission | null {
  const known = EVENT_TYPES.find((one) => one === type);
  return known === undefined ? null : WEBHOOK_RIGHTS[subjectKindOf(known)];
}

/** @returns the permissions that `types` require and `permissions` does not have */
export function missingRights(
  types: readonly string[],
  permissions: Pick<ReadonlySet<Permission>, 'has'>,
): Permission[] {
  const subscribed = EVENT_TYPES.filter((type) => subscribes(types, type));
  const needed = new Set(subscribed.map((type) => WEBHOOK_RIGHTS[subjectKindOf(type)]));
  return [...needed].filter((name) => !permissions.has(name));
}

/** Whether a webhook with these types gets events about staff and the installation, which `audit:read` reads. */
export const subscribesToStaff = (types: readonly string[]): boolean =>
  EVENT_TYPES.some((type) => subscribes(types, type) && rightOf(type) === 'audit:read');

export const WEBHOOK_MESSAGES = {
  urlRequired: 'La dirección es obligatoria',
  url: 'Escribe una dirección completa, como https://ejemplo.com/avisos',
  https: 'La dirección debe empezar con https://',
  credentials: 'La dirección no puede llevar usuario ni contraseña',
  privateAddress: 'La dirección lleva a una red privada o a este mismo servidor',
  typesRequired: 'Elige al menos un evento',
  unknownType: (type: string) => `El evento ${type} no existe`,
  rights: (missing: readonly string[]) => `Estos eventos necesitan también: ${missing.join(', ')}`,
  tooMany: `Se admiten como máximo ${WEBHOOKS_MAX} webhooks`,
  outboundOff: 'OUTBOUND=0: de este servidor no sale ningún webhook',
  notFound: 'Webhook no encontrado',
  deliveryNotFound: 'Envío no encontrado',
} as const;

export const WEBHOOK_RESULTS = { deleted: 'Webhook eliminado exitosamente' } as const;

/** Why the system disabled a webhook: its receiver answered 410, or failed for five days. */
const WEBHOOK_DISABLED_REASONS = ['gone', 'failing'] as const;
export type WebhookDisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number];
export const WEBHOOK_DISABLED_LABELS: Record<WebhookDisabledReason, string> = {
  gone: 'El receptor respondió que ya no existe (410)',
  failing: `El receptor falló durante ${WEBHOOK_FAILING_DAYS} días`,
};

/**
 * Why an attempt failed. `status`: the receiver answered with an HTTP status other than 2xx. `secret`: nothing was sent,
 * because the secret was encrypted with another SECRET_KEY.
 */
const WEBHOOK_PROBLEMS = [
  'status',
  'redirect',
  'timeout',
  'connection',
  'dns',
  'tls',
  'private_address',
  'bad_answer',
  'secret',
] as const;
export type WebhookProblem = (typeof WEBHOOK_PROBLEMS)[number];
export const WEBHOOK_PROBLEM_LABELS: Record<WebhookProblem, string> = {
  status: 'El receptor respondió con un error',
  redirect: 'El receptor respondió con una redirección, que no se sigue',
  timeout: 'El receptor no respondió en 10 segundos',
  connection: 'No se pudo conectar con el receptor, o cortó la conexión',
  dns: 'No se encuentra el nombre del receptor',
  tls: 'El certificado del receptor no es válido',
  private_address: 'El nombre del receptor lleva a una red privada',
  bad_answer: 'La respuesta del receptor no se entiende',
  secret: 'El secreto no se puede leer: se guardó con otra SECRET_KEY. Rótalo',
};

const url = requiredLine(2000, WEBHOOK_MESSAGES.urlRequired)
  // The empty text is accepted here, because requiredLine() already reports it.
  .refine((text) => text === '' || (URL.canParse(text) && /^https?:\/\//i.test(text)), WEBHOOK_MESSAGES.url)
  .refine((text) => {
    const parsed = URL.parse(text);
    return parsed === null || (parsed.username === '' && parsed.password === '');
  }, WEBHOOK_MESSAGES.credentials);

const knownType = z
  .string()
  .refine((type) => WEBHOOK_TYPES.includes(type), {
    error: ({ input }) => WEBHOOK_MESSAGES.unknownType(String(input).slice(0, 100)),
  })
  .meta({ examples: ['license.*'] });

const fields = {
  url,
  /** Event types, `license.*` for all events of a kind, `*` for all events. */
  types: z
    .array(knownType)
    .min(1, WEBHOOK_MESSAGES.typesRequired)
    .max(200)
    .transform((types) => [...new Set(types)]),
  description: optionalLine(200),
  is_active: z.boolean(),
};

/** `POST webhooks/` */
export const webhookCreate = z
  .object({
    ...fields,
    description: fields.description.prefault(''),
    is_active: fields.is_active.default(true),
  })
  .meta({ examples: [{ url: 'https://ejemplo.com/avisos', types: ['license.*'], description: 'CRM' }] });
export type WebhookValues = z.output<typeof webhookCreate>;

/** `PUT webhooks/{id}/`. Fields that are not sent stay unchanged. */
export const webhookUpdate = z.object({ ...fields, updated_at: z.string().max(40) }).partial();

/** `GET webhooks/{id}/`. Only the answers that create a secret contain it. */
export const webhook = z
  .object({
    id: z.number().int(),
    url: z.string(),
    types: z.array(z.string()),
    description: z.string(),
    is_active: z.boolean(),
    /** Why and when the system disabled it; null if a person switched it off, or if it is active. */
    disabled_reason: z.enum(WEBHOOK_DISABLED_REASONS).nullable(),
    disabled_at: z.string().nullable(),
    /** Since when all attempts fail; null if the last one succeeded. */
    failing_since: z.string().nullable(),
    /** When a waiting message is tried again; null if the last attempt succeeded. */
    next_attempt_at: z.string().nullable(),
    last_delivered_at: z.string().nullable(),
    /** The number of messages not yet delivered. */
    waiting: z.number().int(),
    /** Until when messages are also signed with the previous secret. */
    old_secret_until: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof webhook>;

/** `GET webhooks/`: all webhooks, newest first. */
export const webhookList = z.object({ results: z.array(webhook) }).meta({ id: 'WebhookList' });

/** The answer of `POST webhooks/` (201) and `POST webhooks/{id}/rotate_secret/` (200): only these contain `secret`. */
export const webhookWithSecret = webhook
  .extend({ secret: z.string().meta({ examples: ['whsec_…'] }) })
  .meta({ id: 'WebhookWithSecret' });
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>;

/** The delivery status of a message: waiting, accepted with a 2xx, or given up. */
const DELIVERY_STATUSES = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export const DELIVERY_STATUS_LABELS: Record<DeliveryStatus, string> = {
  waiting: 'En espera',
  delivered: 'Entregado',
  failed: 'No entregado',
};

/** One attempt to deliver a message. */
const deliveryAttempt = z.object({
  id: z.number().int(),
  at: z.string(),
  duration_ms: z.number().int(),
  /** The HTTP status of the answer; null if there was no answer. */
  status: z.number().int().nullable(),
  /** Null if the message was accepted. */
  problem: z.enum(WEBHOOK_PROBLEMS).nullable(),
  /** The first kilobyte of the answer; null if there was no answer. */
  answer: z.string().nullable(),
  /** True if a person started the attempt: a test, or a message that is sent again. */
  by_hand: z.boolean(),
});
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>;

const deliveryShape = {
  id: z.number().int(),
  /** The header `webhook-id`, equal in all attempts. */
  message_id: z.string(),
  /** The type of the event, or `webhook.test`. */
  type: z.string(),
  /** The id of the event; null for a test. */
  event: z.number().int().nullable(),
  status: z.enum(DELIVERY_STATUSES),
  created_at: z.string(),
  finished_at: z.string().nullable(),
  /** Newest first. */
  attempts: z.array(deliveryAttempt),
};

/** A message to a webhook in the list of deliveries. */
const deliveryRow = z.object(deliveryShape).meta({ id: 'WebhookDeliveryRow' });
export type DeliveryRow = z.infer<typeof deliveryRow>;

/** `GET webhooks/{id}/deliveries/`, the newest first. */
export const deliveryListQuery = z.object({
  ...listQuery.pick({ page: true, page_size: true, after: true }).shape,
  status: z.enum(DELIVERY_STATUSES).optional(),
});
export const deliveryPage = pageOf(deliveryRow).meta({ id: 'WebhookDeliveryPage' });

/**
 * `GET webhooks/{id}/deliveries/{delivery}/`, and the answer of `POST …/deliveries/{delivery}/resend/` and of `POST
 * webhooks/{id}/test/` (200 each, after the attempt, which takes up to ten seconds). `body` is exactly the text that
 * was signed and sent.
 */
export const delivery = z.object({ ...deliveryShape, body: z.string() }).meta({ id: 'WebhookDelivery' });
export type Delivery = z.infer<typeof delivery>;

/**
 * The URL as shown in events, mails and notifications. The query is hidden, because it may contain a secret of the
 * receiver (EVENT-04).
 */
export const shownUrl = (address: string): string => address.replace(/[?#].*$/s, '?…');

/** Path parameters of a delivery. */
export const deliveryParams = idParams.extend({ delivery: writtenNumber(z.int()) });

/**
 * The calls, all with the permission `webhooks:manage`, under `/licenses/api/`:
 *
 * - `GET webhooks/` → 200 {@link webhookList}
 * - `POST webhooks/` {@link webhookCreate} → 201 {@link webhookWithSecret}; 409 `conflict` beyond WEBHOOKS_MAX
 * - `GET webhooks/{id}/` → 200 {@link webhook}, with an ETag
 * - `PUT webhooks/{id}/` {@link webhookUpdate} → 200 {@link webhook}; 412 `stale`
 * - `DELETE webhooks/{id}/` → 200 `{success, message}`; 412 `stale`
 * - `POST webhooks/{id}/rotate_secret/` → 200 {@link webhookWithSecret}
 * - `POST webhooks/{id}/test/` → 200 {@link delivery}
 * - `GET webhooks/{id}/deliveries/?status=&page=&page_size=` → 200 {@link deliveryPage}
 * - `GET webhooks/{id}/deliveries/{delivery}/` → 200 {@link delivery}
 * - `POST webhooks/{id}/deliveries/{delivery}/resend/` → 200 {@link delivery}
 */
export const WEBHOOK_PATH = '/licenses/api/webhooks/';
