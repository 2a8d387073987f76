import type { TSchema } from 'typebox';
import { asJsonSchema } from '../../http/json-schema.ts';
import type { Endpoint } from '../endpoint.ts';
import { exampleOf } from './examples.ts';
import { operationIdOf, pascal, tagOf } from './names.ts';
import { responsesOf } from './responses.ts';
import type { SchemaBook } from './schema-book.ts';

export function operationOf(endpoint: Endpoint, schemas: SchemaBook): object {
  const { scope } = endpoint;
  return {
    operationId: operationIdOf(endpoint),
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    description: scope === null ? endpoint.description : `${endpoint.description}\n\nRequires the scope \`${scope}\`.`,
    ...(scope === null ? {} : { 'x-required-scope': scope }),
    security: [{ api_key: scope === null ? [] : [scope] }],
    ...ifAny('parameters', parametersOf(endpoint)),
    ...(endpoint.body === undefined ? {} : { requestBody: requestBodyOf(endpoint, endpoint.body, schemas) }),
    responses: responsesOf(endpoint, schemas),
  };
}

function parametersOf(endpoint: Endpoint): object[] {
  return [
    ...(endpoint.path.includes(':id') ? [idParameter] : []),
    ...Object.entries(endpoint.query ?? {}).map(([name, schema]) => queryParameter(name, schema)),
    ...(endpoint.method === 'POST' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
}

function queryParameter(name: string, schema: TSchema): object {
  const { description, ...rule } = asJsonSchema(schema);
  return { name, in: 'query', required: false, description, schema: rule };
}

function requestBodyOf(endpoint: Endpoint, body: NonNullable<Endpoint['body']>, schemas: SchemaBook): object {
  const example = exampleOf(endpoint);
  return {
    required: body.required,
    content: {
      'application/json': {
        schema: schemas.request(`${pascal(operationIdOf(endpoint))}Body`, body.schema),
        ...('request' in example ? { example: example.request } : {}),
      },
    },
  };
}

export const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'A malformed id answers 404, as one that does not exist.',
  schema: { type: 'string', format: 'uuid' },
};

export const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Strongly recommended. A retry with the same key and the same body replays the original answer and does not write twice.',
  schema: { type: 'string', maxLength: 255 },
};

function ifAny(name: string, values: object[]): Record<string, object[]> {
  return values.length === 0 ? {} : { [name]: values };
}
