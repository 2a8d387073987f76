import { documentSchema } from '../../documents/json-schemas.ts';
import type { EventType } from '../../webhooks/event-types.ts';
import { sentDocumentExample } from './examples.ts';
import { pascal } from './names.ts';
import type { JsonSchema, SchemaBook } from './schema-book.ts';

/** The webhook events for the OpenAPI description and the reference. */
const firesWhen: Record<EventType, string> = {
  'document.sent': 'The document was sent and signature requests went out.',
  'document.viewed': 'A recipient opened the document for the first time.',
  'document.signed': 'A recipient signed. On a document with several parties it fires once per signer.',
  'document.completed': 'Every signer has signed.',
  'document.declined': 'A recipient refused to sign. The document is finished.',
  'document.voided': 'The sender cancelled the document.',
};

export interface WebhookEvent {
  name: string;
  firesWhen: string;
}

export const webhookEvents: readonly WebhookEvent[] = Object.entries(firesWhen).map(([name, when]) => ({
  name,
  firesWhen: when,
}));

export const webhookHeaders = [
  { name: 'Content-Type', value: 'application/json' },
  { name: 'User-Agent', value: 'Service-Webhooks/1.0' },
  { name: 'X-Service-Event', value: 'The event name.' },
  {
    name: 'X-Service-Signature',
    value:
      't=<unix seconds>,v1=<lowercase hex digest>; one more v1 follows for each replaced secret that is still valid',
  },
] as const;

export const webhookTag = 'Webhooks';

export const registration =
  'Owners and admins register endpoints in the account settings, under Webhooks. Operators use ' +
  '`countersign webhook create` on the command line. An account can have at most ten endpoints, on the Team plan or above. ' +
  'There is no API for it, so that an API key cannot change where events go.';

export const eventExample = {
  id: '0198f3c9-7a10-7d5e-8b64-3f9d2c1e7a08',
  event: 'document.sent',
  created_at: '2026-11-20T14:07:31.482Z',
  data: { document: sentDocumentExample },
};

export function webhookOperation(event: WebhookEvent, schemas: SchemaBook): object {
  return {
    operationId: `on${pascal(event.name.replace('.', '_'))}`,
    tags: [webhookTag],
    summary: event.firesWhen,
    description: registration,
    security: [],
    parameters: [
      { name: 'X-Service-Event', in: 'header', required: true, schema: { type: 'string', const: event.name } },
      {
        name: 'X-Service-Signature',
        in: 'header',
        required: true,
        description:
          'One v1 for each valid secret, newest first: up to three after rolls, since a replaced secret stays valid for 24 hours. Any may match.',
        schema: { type: 'string', pattern: '^t=\\d+(,v1=[0-9a-f]{64}){1,3}$' },
      },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.put('Event', eventSchema(schemas)) } },
    },
    responses: {
      '2XX': { description: 'Acknowledged as soon as the headers are in, whatever the body does.' },
      '3XX': { description: 'Never followed: the delivery is dead at once.' },
      default: { description: 'A failure, as is no answer within the time limit: it is tried again.' },
    },
  };
}

function eventSchema(schemas: SchemaBook): JsonSchema {
  const sensitive = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string', format: 'uuid' } },
    additionalProperties: false,
    description: 'Only the id: the document is restricted, or the endpoint chose payload version 2.',
  };
  return {
    type: 'object',
    required: ['id', 'event', 'created_at', 'data'],
    properties: {
      id: {
        type: 'string',
        format: 'uuid',
        description:
          'The event id and deduplication key. The same on every endpoint, and stable across retries and manual redeliveries.',
      },
      event: { type: 'string', enum: webhookEvents.map(({ name }) => name) },
      created_at: {
        type: 'string',
        format: 'date-time',
        description: 'When the event was recorded, not when it was delivered.',
      },
      payload_version: {
        type: 'integer',
        description: 'The version of the body that the endpoint chose, such as 2. Absent in version 1.',
      },
      data: {
        type: 'object',
        required: ['document'],
        description: 'Of a test event the document is made up: it is titled "Test event", and its id leads nowhere.',
        properties: { document: { anyOf: [schemas.answer(documentSchema), sensitive] } },
      },
    },
    examples: [eventExample],
  };
}
