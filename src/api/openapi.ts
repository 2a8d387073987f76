import type { Endpoint } from './endpoint.ts';
import { answerHeaderComponents } from './openapi/answer-headers.ts';
import { templatePathOf } from './openapi/names.ts';
import { idempotencyKeyParameter, operationOf } from './openapi/operation.ts';
import { errorSchema } from './openapi/responses.ts';
import { createSchemaBook } from './openapi/schema-book.ts';
import { type WebhookEvent, webhookEvents, webhookOperation, webhookTag } from './openapi/webhooks.ts';

export interface OpenApiOptions {
  /** The base URL: the origin with `/api/v1`. */
  serverUrl: string;
  /** Address of the reference. */
  docsUrl: string;
}

/** Builds the OpenAPI 3.1 description from the table of endpoints. The same schemas validate and describe requests. */
export function openApiDocument(endpoints: readonly Endpoint[], options: OpenApiOptions): object {
  const schemas = createSchemaBook();
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const path = templatePathOf(endpoint);
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, schemas) };
  }
  const webhooks = Object.fromEntries(
    webhookEvents.map((event: WebhookEvent) => [event.name, { post: webhookOperation(event, schemas) }]),
  );

  return {
    openapi: '3.1.0',
    info: {
      title: 'Countersign API',
      version: '1.0.0',
      summary: 'Create documents, send them for signature, follow them to completion.',
      description,
      contact: { name: 'Countersign', url: options.docsUrl },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.serverUrl }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    security: [{ api_key: [] }],
    paths,
    webhooks,
    components: {
      securitySchemes: { api_key: apiKeyScheme },
      parameters: { IdempotencyKey: idempotencyKeyParameter },
      headers: answerHeaderComponents(),
      schemas: { ...schemas.all(), Error: errorSchema },
    },
  };
}

const tagDescriptions = {
  Account: 'The company that the key belongs to, its plan and the scopes of the key.',
  Documents: 'Create documents, send them for signature, follow them, and download the sealed PDF.',
  Imports: 'Bring in existing documents from an e-signature vendor, a cloud drive or a cloud file store.',
  [webhookTag]: 'Requests that Countersign sends to your endpoint when a document changes.',
};

const description =
  'Server-to-server JSON over HTTPS; there is no CORS allowance. Every request carries an API key as a bearer token. ' +
  'All times are RFC 3339 in UTC. Every property of an answer is always present; optional values are null. ' +
  'Treat an unknown error code as its type: new codes may be added to a type.';

const apiKeyScheme = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'svc_live_… or svc_test_…',
  description:
    'An API key. With svc_live_ everything happens for real; with svc_test_ no e-mail or SMS leaves, but the data is the same. ' +
    'The scope an operation needs stands in its x-required-scope.',
};
