import { EVENT_TYPES } from '../../contract/system/events.ts';
import { WEBHOOK_TEST_TYPE } from '../../contract/system/webhooks.ts';
import type { ApiDocument, ApiParameter, ApiSchema, ApiWebhook, ParameterRef } from './openapi-document.ts';

/** The messages to webhooks, as the section `webhooks` of the document (docs/webhooks.md). */

const HEADERS: readonly ApiParameter[] = [
  {
    in: 'header',
    name: 'webhook-id',
    description: 'Id del mensaje, el mismo en cada intento / Id of the message, the same in every attempt',
    required: true,
    schema: { type: 'string', examples: ['msg_2mJ5'] },
  },
  {
    in: 'header',
    name: 'webhook-timestamp',
    description:
      'Cuándo se hizo este intento, en segundos desde 1970 / When this attempt was made, in seconds since 1970',
    required: true,
    schema: { type: 'integer', examples: [1_795_000_000] },
  },
  {
    in: 'header',
    name: 'webhook-signature',
    description:
      'v1, y la firma HMAC-SHA256 en Base64 de id.timestamp.cuerpo / v1, and the HMAC-SHA256 in Base64 of id.timestamp.body',
    required: true,
    schema: { type: 'string', examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='] },
  },
];

const refTo = (name: string): ParameterRef => ({ $ref: `#/components/parameters/${name}` });

const RESPONSES = {
  '2XX': { description: 'Aceptado / Accepted' },
  '410': { description: 'Ya no: el webhook se desactiva / No more: the webhook is disabled' },
  default: { description: 'Se intenta otra vez, durante tres días / It is tried again, for three days' },
};

/** The types of messages: an event, or a test. */
const MESSAGE_TYPES = [...EVENT_TYPES, WEBHOOK_TEST_TYPE] as const;

/** Adds the messages of all event types and of a test; their schemas and headers are in the components. */
export function addWebhooks(document: ApiDocument): void {
  const { schemas } = document.components;
  const event = schemas.Event!;
  const properties = event.properties as Record<string, ApiSchema>;
  const record: ApiSchema = {
    anyOf: [{ type: 'object' }, { type: 'null' }],
    description:
      'El registro como era entonces, sin notas ni datos fiscales / The record as it was then, without notes and tax data',
  };
  schemas.WebhookEvent = {
    ...event,
    properties: {
      ...properties,
      // A test is not an event: it has no id, and its type is not in the list of event types.
      id: { ...properties.id, type: ['integer', 'null'] },
      type: { ...properties.type, enum: MESSAGE_TYPES },
      record,
    },
    required: [...(event.required as string[]), 'record'],
  };
  document.components.parameters ??= {};
  for (const header of HEADERS) document.components.parameters[header.name] = header;
  document.webhooks = Object.fromEntries(MESSAGE_TYPES.map((type) => [type, { post: messageOf(type) }]));
}

function messageOf(type: (typeof MESSAGE_TYPES)[number]): ApiWebhook {
  const words = type.split(/[._]/).map((word) => word[0]!.toUpperCase() + word.slice(1));
  return {
    operationId: `on${words.join('')}`,
    summary: `Evento ${type} / Event ${type}`,
    tags: ['Webhooks'],
    parameters: HEADERS.map(({ name }) => refTo(name)),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              type: { const: type, description: 'Tipo del evento / Type of the event' },
              timestamp: {
                type: 'string',
                format: 'date-time',
                description: 'Cuándo pasó / When it happened',
              },
              data: {
                $ref: '#/components/schemas/WebhookEvent',
                description: 'El evento, con su registro / The event, with its record',
              },
            },
            required: ['type', 'timestamp', 'data'],
            additionalProperties: false,
          },
        },
      },
    },
    responses: RESPONSES,
  };
}
