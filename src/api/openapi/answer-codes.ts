import type { TSchema } from 'typebox';
import { ApiError, type ErrorCode } from '../../errors.ts';
import { asJsonSchema, type JsonSchema } from '../../http/json-schema.ts';
import { errorCodeKeyword } from '../../http/validate-body.ts';
import type { Endpoint } from '../endpoint.ts';

/** Which codes an endpoint may answer: its own, and those of the steps every request goes through before it. */

/** In the order of the steps: reading the body, its properties and the query, the endpoint's own rules, then storing. */
export function ownCodesOf(endpoint: Endpoint): ErrorCode[] {
  const schemas = [
    ...Object.values(endpoint.query ?? {}),
    ...(endpoint.body === undefined ? [] : [endpoint.body.schema]),
  ];
  const ofSchemas = schemas.flatMap((schema) => codedFields(schema)).map(({ code }) => code);
  const ofBody = endpoint.body === undefined ? [] : bodyCodes;
  const ofWriting = endpoint.method === 'POST' ? [...idempotencyCodes, endpoint.failure] : [];
  return [...new Set<ErrorCode>([...ofBody, ...ofSchemas, ...endpoint.codes, ...ofWriting])];
}

export function commonCodesOf(endpoint: Endpoint): ErrorCode[] {
  return endpoint.scope === null ? [...everyRequest] : ['insufficient_scope', ...everyRequest];
}

export function answerCodesOf(endpoint: Endpoint): ErrorCode[] {
  return [...new Set([...ownCodesOf(endpoint), ...commonCodesOf(endpoint)])];
}

export function statusOf(code: ErrorCode): number {
  return new ApiError(code).status;
}

/** The fields below a schema that name a code, with their paths: `recipients[N].email`. */
export function codedFields(schema: TSchema, path = ''): { path: string; code: ErrorCode }[] {
  return codesBelow(asJsonSchema(schema), path);
}

function codesBelow(schema: JsonSchema, path: string): { path: string; code: ErrorCode }[] {
  const code = schema[errorCodeKeyword];
  const own = code === undefined ? [] : [{ path, code }];
  if (schema.items !== undefined) return [...own, ...codesBelow(schema.items, `${path}[N]`)];
  const properties = Object.entries(schema.properties ?? {});
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  return [...own, ...properties.flatMap(([name, property]) => codesBelow(property, below(name)))];
}

/** The pipeline's steps that any request may fail at. */
const everyRequest = [
  'missing_authorization',
  'invalid_api_key',
  'api_access_required',
  'key_company_unavailable',
  'rate_limit_exceeded',
  'ip_throttled',
  'server_busy',
  'malformed_request',
  'headers_too_large',
  'request_timeout',
  'key_lookup_failed',
  'tenant_resolution_failed',
  'tenant_divergence',
  'internal_error',
] as const satisfies ErrorCode[];

const bodyCodes = ['invalid_json', 'request_too_large'] as const satisfies ErrorCode[];

const idempotencyCodes = [
  'invalid_idempotency_key',
  'idempotency_key_reused',
  'idempotency_in_progress',
  'idempotency_store_failed',
] as const satisfies ErrorCode[];
