import { type ErrorCode, errorCatalogue, errorStatus } from '../../errors.ts';
import type { Endpoint } from '../endpoint.ts';
import { answerCodesOf, codedFields, statusOf } from './answer-codes.ts';
import { headersOfFailure, headersOfSuccess } from './answer-headers.ts';
import { exampleOf } from './examples.ts';
import type { SchemaBook } from './schema-book.ts';

/** Returns the success response and one response for each status of the endpoint's error codes. */
export function responsesOf(endpoint: Endpoint, schemas: SchemaBook): Record<string, object> {
  const codes = Map.groupBy(answerCodesOf(endpoint), statusOf);
  const statuses = [...codes.keys()].sort((a, b) => a - b);
  return Object.fromEntries([
    [String(endpoint.answer.status), success(endpoint, schemas)],
    ...statuses.map((status) => [String(status), failure(endpoint, status, codes.get(status) as ErrorCode[])]),
  ]);
}

function success(endpoint: Endpoint, schemas: SchemaBook): object {
  const example = exampleOf(endpoint);
  return {
    description: endpoint.answer.description,
    headers: headersOfSuccess(endpoint.method === 'POST'),
    content: {
      'application/json': {
        schema: schemas.answer(endpoint.answer.schema),
        ...('answer' in example ? { example: example.answer } : {}),
      },
    },
  };
}

function failure(endpoint: Endpoint, status: number, codes: ErrorCode[]): object {
  const types = [...new Set(codes.map((code) => errorCatalogue[code].type))];
  return {
    description: codes.map((code) => `- \`${code}\`: ${errorCatalogue[code].message}`).join('\n'),
    headers: headersOfFailure(status),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            {
              type: 'object',
              properties: {
                error: { type: 'object', properties: { type: { enum: types }, code: { enum: codes } } },
              },
            },
          ],
        },
        example: failureExample(endpoint, codes),
      },
    },
  };
}

/** Examples for a status. Without them, tools invent examples with codes that the status never has. */
function failureExample(endpoint: Endpoint, [code]: ErrorCode[]): object {
  const { type, message } = errorCatalogue[code as ErrorCode];
  const fields = endpoint.body === undefined ? [] : codedFields(endpoint.body.schema);
  const param = fields.find((field) => field.code === code && field.path !== '')?.path.replaceAll('[N]', '[0]');
  return {
    error: {
      type,
      code,
      message,
      ...(param === undefined ? {} : { param }),
      doc_url: `https://sign.example.com/docs#${type}`,
      request_id: 'req_5f0c2a9be1d7483a6b90c4e2',
    },
  };
}

/** The envelope of every error response. */
export const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['type', 'code', 'message', 'doc_url', 'request_id'],
      properties: {
        type: {
          type: 'string',
          enum: Object.keys(errorStatus),
          description: 'The family. It maps one-to-one to the HTTP status.',
        },
        code: { type: 'string', description: 'The specific reason. Branch on it; treat an unknown one as its type.' },
        message: { type: 'string', description: 'For people. Not to be parsed: its wording can change.' },
        param: {
          type: 'string',
          description: 'The offending input, with an array index where there is one. Only when a field is at fault.',
          examples: ['recipients[2].email'],
        },
        doc_url: { type: 'string', format: 'uri', description: 'Where the reference explains this type.' },
        request_id: { type: 'string', description: 'Equals the X-Request-Id header.' },
      },
    },
  },
} as const;
