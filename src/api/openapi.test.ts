import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type TObject, Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { readCreateDocumentBody } from '../documents/create-document-body.ts';
import { type ErrorCode, errorCatalogue } from '../errors.ts';
import type { ImportDeps } from '../imports/import-deps.ts';
import { accountEndpoints } from './account-endpoints.ts';
import { documentEndpoints } from './document-endpoints.ts';
import { type DownloadDeps, downloadEndpoint } from './download-endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { importEndpoints } from './import-endpoints.ts';
import { answerCodesOf, statusOf } from './openapi/answer-codes.ts';
import { exampleOf } from './openapi/examples.ts';
import { operationIdOf, templatePathOf } from './openapi/names.ts';
import { createSchemaBook } from './openapi/schema-book.ts';
import { eventExample } from './openapi/webhooks.ts';
import { openApiDocument } from './openapi.ts';

// Only the table is read here; nothing is ever enqueued.
const endpoints: Endpoint[] = [
  ...accountEndpoints,
  ...documentEndpoints({ enqueue: async () => {} }),
  downloadEndpoint({} as DownloadDeps),
  ...importEndpoints({} as ImportDeps),
];
const description = JSON.parse(
  JSON.stringify(
    openApiDocument(endpoints, {
      serverUrl: 'https://sign.example.com/api/v1',
      docsUrl: 'https://sign.example.com/docs',
    }),
  ),
) as Description;

interface Description {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, unknown>;
  components: { headers: Record<string, { required: boolean }>; schemas: Record<string, Record<string, unknown>> };
}

interface Operation {
  operationId: string;
  'x-required-scope'?: string;
  parameters?: { $ref?: string; name?: string }[];
  responses: Record<string, Response>;
}

interface Response {
  headers: Record<string, { $ref: string }>;
  content: {
    'application/json': { schema: { allOf?: [unknown, { properties: { error: { properties: Refinement } } }] } };
  };
}

/** What one response says of the error it holds, beyond what every error has. */
interface Refinement {
  type: { enum: string[] };
  code: { enum: ErrorCode[] };
}

function refinementOf(response: Response): Refinement {
  const [, own] = response.content['application/json'].schema.allOf ?? [];
  return own?.properties.error.properties as Refinement;
}

function operationOf(endpoint: Endpoint): Operation {
  return description.paths[templatePathOf(endpoint)]?.[endpoint.method.toLowerCase()] as Operation;
}

function schemaValidator(name: string) {
  const ajv = new Ajv2020({
    strict: false,
    formats: { uuid: /^[0-9a-f-]{36}$/, 'date-time': /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, uri: /^https?:/ },
  });
  return ajv.compile({ components: description.components, $ref: `#/components/schemas/${name}` });
}

test('the description is valid OpenAPI 3.1, version 1.0.0, for the address it was made for', async () => {
  const result = await new Validator().validate({ ...structuredClone(description) });
  expect(result).toMatchObject({ valid: true });
  expect(description.openapi).toMatch(/^3\.1\./);
  expect(description.info.version).toBe('1.0.0');
  expect(description.servers).toEqual([{ url: 'https://sign.example.com/api/v1' }]);
});

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(description).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, path]) => path as string,
  );
  const resolve = (path: string) =>
    path.split('/').reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], description);
  expect(references.length).toBeGreaterThan(100);
  expect(references.filter((path) => resolve(path) === undefined)).toEqual([]);
});

test('operations have the names a client library would give them', () => {
  expect(endpoints.map(operationIdOf)).toEqual([
    'getAccount',
    'listDocuments',
    'createDocument',
    'getDocument',
    'sendDocument',
    'listDocumentRecipients',
    'downloadDocument',
    'listImports',
    'createImport',
    'getImport',
    'listImportItems',
  ]);
  expect(Object.keys(description.components.schemas)).toEqual(
    expect.arrayContaining(['Account', 'Document', 'DocumentList', 'Recipient', 'RecipientList', 'Event', 'Error']),
  );
});

describe.each(endpoints)('$method $path', (endpoint) => {
  const operation = operationOf(endpoint);

  test('describes each of its codes under its status, with the type that goes with it', () => {
    for (const code of answerCodesOf(endpoint)) {
      const own = refinementOf(operation.responses[statusOf(code)] as Response);
      expect(own.code.enum).toContain(code);
      expect(own.type.enum).toContain(errorCatalogue[code].type);
    }
  });

  test('promises the six headers on success, tells of them on failures, and Retry-After on 429 and 5xx', () => {
    for (const [status, response] of Object.entries(operation.responses)) {
      const names = Object.keys(response.headers);
      expect(names.slice(0, 6)).toEqual([
        'X-Request-Id',
        'X-RateLimit-Limit-Burst',
        'X-RateLimit-Remaining-Burst',
        'X-RateLimit-Limit-Daily',
        'X-RateLimit-Remaining-Daily',
        'X-RateLimit-Reset',
      ]);
      expect(names.includes('Retry-After')).toBe(status === '429' || status >= '500');
      const required = Object.values(response.headers).map(
        ({ $ref }) => description.components.headers[$ref.slice('#/components/headers/'.length)]?.required,
      );
      expect(required.slice(0, 6)).toEqual(Array(6).fill(true).fill(status.startsWith('2'), 1));
    }
  });

  test('names its scope, its query parameters and the Idempotency-Key of a write', () => {
    expect(operation['x-required-scope'] ?? null).toBe(endpoint.scope);
    const named = (operation.parameters ?? []).map((parameter) => parameter.name ?? parameter.$ref);
    expect(named).toEqual([
      ...(endpoint.path.includes(':id') ? ['id'] : []),
      ...Object.keys(endpoint.query ?? {}),
      ...(endpoint.method === 'POST' ? ['#/components/parameters/IdempotencyKey'] : []),
    ]);
  });

  test('has an example that its own schemas accept', () => {
    const example = exampleOf(endpoint);
    const name = createSchemaBook().answer(endpoint.answer.schema).$ref.split('/').at(-1) as string;
    if ('answer' in example) expectAccepted(schemaValidator(name), example.answer);
    else expect(answerCodesOf(endpoint)).toContain(example.refused);
    if (example.request !== undefined) {
      const id = operationIdOf(endpoint);
      expectAccepted(schemaValidator(`${id.charAt(0).toUpperCase()}${id.slice(1)}Body`), example.request);
    }
  });
});

const recipient = { name: 'Ana', email: 'ana@example.com' };
const bodies: [string, object][] = [
  ['the least there can be', { title: 'Form', recipients: [recipient] }],
  ['null for what may be left out', { title: 'Form', type: null, primary_language: null, recipients: [recipient] }],
  [
    'null inside a recipient',
    { title: 'Form', recipients: [{ ...recipient, phone: null, role: null, channel: null }] },
  ],
  [
    'null inside content',
    { title: 'Form', recipients: [recipient], content: { message: null, expires_in_days: null } },
  ],
  ['unknown properties', { title: 'Form', recipients: [recipient], content: { colour: 'red' }, more: 1 }],
  ['null for content', { title: 'Form', recipients: [recipient], content: null }],
  ['null for the title', { title: null, recipients: [recipient] }],
  ['white space for a title', { title: ' \t', recipients: [recipient] }],
  ['no recipients', { title: 'Form', recipients: [] }],
  ['a recipient that is null', { title: 'Form', recipients: [null] }],
  ['a title of 201 characters', { title: '𝛼'.repeat(201), recipients: [recipient] }],
  ['a title of 200 characters outside the basic plane', { title: '𝛼'.repeat(200), recipients: [recipient] }],
  ['an unknown channel', { title: 'Form', recipients: [{ ...recipient, channel: 'pigeon' }] }],
];

test.each(bodies)('the described body and the one that is validated agree on %s', (_, body) => {
  const isAccepted = () => {
    try {
      readCreateDocumentBody(body);
      return true;
    } catch {
      return false;
    }
  };
  expect(schemaValidator('CreateDocumentBody')(body)).toBe(isAccepted());
});

test('each event is described as a webhook, and its example is one', () => {
  expect(Object.keys(description.webhooks)).toEqual([
    'document.sent',
    'document.viewed',
    'document.signed',
    'document.completed',
    'document.declined',
    'document.voided',
  ]);
  const isEvent = schemaValidator('Event');
  expectAccepted(isEvent, eventExample);
  const bare = { data: { document: { id: eventExample.data.document.id } } };
  expectAccepted(isEvent, { ...eventExample, ...bare });
  expectAccepted(isEvent, { ...eventExample, ...bare, payload_version: 2 });
  expect(isEvent({ ...eventExample, payload_version: '2' })).toBe(false);
});

test('two different answers cannot take the same name', () => {
  const schemas = createSchemaBook();
  const answer = (more: object): TObject => Type.Object({ object: Type.Literal('import'), ...more });
  schemas.answer(answer({}));
  expect(() => schemas.answer(answer({ items: Type.Integer() }))).toThrow('two different schemas are named Import');
});

function expectAccepted(validate: ReturnType<typeof schemaValidator>, value: unknown): void {
  validate(value);
  expect(validate.errors ?? []).toEqual([]);
}
