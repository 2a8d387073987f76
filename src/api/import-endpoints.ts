import { Type } from '@sinclair/typebox';
import { ApiError } from '../errors.ts';
import { listEnvelope, readPageRequest, readStatusFilter } from '../http/page-request.ts';
import { bodyValidator, errorCodeKeyword } from '../http/validate-body.ts';
import type { Endpoint } from './endpoint.ts';
import { listOf, pageCodes, pageParameters, statusParameter } from './list-schema.ts';

const sources = ['esign_vendor', 'cloud_drive', 'cloud_files'];
const statuses = ['running', 'finished'] as const;

const startImportBody = Type.Object(
  {
    source: Type.Unsafe<string>({
      type: 'string',
      enum: sources,
      [errorCodeKeyword]: 'invalid_source',
      description: 'Where the documents come from.',
    }),
  },
  { [errorCodeKeyword]: 'invalid_body' },
);
const readStartImportBody = bodyValidator(startImportBody);

const importSchema = Type.Object({ object: Type.Literal('import'), id: Type.String({ format: 'uuid' }) });

/**
 * Imports as an account sees them that never imported: empty lists, and a refusal that names the reason. This server
 * has no source connected yet, so nothing can be started.
 */
export const importEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/imports',
    scope: 'imports:read',
    summary: 'List imports',
    description: 'Newest first. An account that never imported gets an empty list.',
    query: { ...pageParameters, status: statusParameter(statuses) },
    answer: { status: 200, schema: listOf(importSchema), description: 'A page of imports.' },
    codes: [...pageCodes, 'invalid_status'],
    async read({ caller, query, cursors }) {
      readPageRequest(query, cursors, { accountId: caller.accountId, list: 'imports' });
      readStatusFilter(query.status, statuses);
      return listEnvelope([], false, () => '');
    },
  },
  {
    method: 'POST',
    path: '/imports',
    scope: 'imports:write',
    summary: 'Start an import',
    description:
      'No import source is available on this server yet: a vendor is not connected, and file imports are off.',
    body: { schema: startImportBody, required: true },
    answer: { status: 201, schema: importSchema, description: 'The import.' },
    codes: ['invalid_json', 'request_too_large', 'invalid_source', 'esign_not_connected', 'cloud_import_unavailable'],
    failure: 'import_not_started',
    async writeInOneStatement({ body }) {
      const { source } = readStartImportBody(body);
      if (source === 'esign_vendor') throw new ApiError('esign_not_connected', { param: 'source' });
      throw new ApiError('cloud_import_unavailable');
    },
  },
  {
    method: 'GET',
    path: '/imports/:id',
    scope: 'imports:read',
    summary: 'Retrieve an import',
    description: "404 for an id that does not exist, a malformed one and another account's.",
    answer: { status: 200, schema: importSchema, description: 'The import.' },
    codes: ['import_not_found'],
    async read() {
      throw new ApiError('import_not_found');
    },
  },
  {
    method: 'GET',
    path: '/imports/:id/items',
    scope: 'imports:read',
    summary: "List an import's files",
    description: 'Oldest first.',
    query: pageParameters,
    answer: {
      status: 200,
      schema: listOf(Type.Object({ object: Type.Literal('import_item') })),
      description: 'A page of files.',
    },
    codes: [...pageCodes, 'import_not_found'],
    async read({ caller, id, query, cursors }) {
      readPageRequest(query, cursors, { accountId: caller.accountId, list: `imports/${id}/items` });
      throw new ApiError('import_not_found');
    },
  },
];
