import { type TSchema, Type } from 'typebox';
import { ApiError } from '../errors.ts';
import { readStatusFilter } from '../http/page-request.ts';
import { failureReasons, type Import, importSources, importStatuses, itemStatuses } from '../imports/import.ts';
import type { ImportDeps } from '../imports/import-deps.ts';
import { importJson, shownItemJson } from '../imports/json.ts';
import { findImport, listImports, listItems } from '../imports/queries.ts';
import { assertMayRepeat, hideRestricted, startImport } from '../imports/start-import.ts';
import { type ImportRequest, readStartImport, startImportBody } from '../imports/start-import-body.ts';
import { isUuid } from '../platform/ids.ts';
import type { Queryable } from '../postgres/database.ts';
import { unlockReasons, unlockStatuses } from '../unlock/jobs/document-unlock.ts';
import { type Call, type Endpoint, orFail } from './endpoint.ts';
import { listOf, pageParameters, statusParameter } from './list-schema.ts';
import { openList } from './open-list.ts';
import { assertOwned } from './tenant.ts';

const oneOf = (values: readonly string[], description?: string) =>
  Type.Unsafe<string>({ type: 'string', enum: [...values], ...(description === undefined ? {} : { description }) });
const nullable = (schema: object, description?: string) =>
  Type.Unsafe<unknown>({
    ...schema,
    ...('enum' in schema ? { enum: [...(schema.enum as unknown[]), null] } : {}),
    type: [(schema as { type: string }).type, 'null'],
    ...(description === undefined ? {} : { description }),
  });
const count = (description: string) => Type.Integer({ minimum: 0, description });

const importFields = {
  object: Type.Literal('import'),
  id: Type.String({ format: 'uuid' }),
  source: oneOf(importSources, 'New values may be added: treat an unknown one as upload.'),
  status: oneOf(importStatuses, 'An import that finished with failures is finished; the counts say what happened.'),
  total_files: count('Grows while an esign_vendor migration is still listing.'),
  filed: count('Files that landed as documents, those that resolved to an earlier document included.'),
  failed: count('Files that did not land.'),
  remaining: count('Files still queued or in flight.'),
  created_at: Type.String({ format: 'date-time' }),
  finished_at: nullable({ type: 'string', format: 'date-time' }),
};
const importSchema = Type.Object(importFields);

const unlockSchema = {
  type: 'object',
  properties: {
    status: oneOf(unlockStatuses),
    pages: nullable({ type: 'integer', minimum: 1 }),
    credits: count('Charged: 1 a page that was unlocked.'),
    reason: nullable(oneOf(unlockReasons)),
  },
  required: ['status', 'pages', 'credits', 'reason'],
};

const importItemSchema = Type.Object({
  object: Type.Literal('import_item'),
  id: Type.String({ format: 'uuid' }),
  index: nullable(
    { type: 'integer', minimum: 0 },
    'Position in the start request, from 0. null for files that were not sent through the API.',
  ),
  name: nullable({ type: 'string' }, "The file's name, as far as it is known. null for a restricted document."),
  status: oneOf(itemStatuses),
  reason: nullable(oneOf(failureReasons), 'Why a failed file did not land.'),
  document_id: nullable(
    { type: 'string', format: 'uuid' },
    'The document that a filed file became, or resolved to. null for a restricted document.',
  ),
  duplicate: Type.Boolean({ description: 'Whether it resolved to an earlier document: no storage is used again.' }),
  bytes: nullable({ type: 'integer', minimum: 0 }),
  pages: nullable({ type: 'integer', minimum: 1 }),
  unlock: nullable(unlockSchema, 'What came of unlocking. null when it was not asked for.'),
  created_at: Type.String({ format: 'date-time' }),
  finished_at: nullable({ type: 'string', format: 'date-time' }),
});

const startedImportSchema = Type.Object(
  {
    ...importFields,
    items: Type.Optional(
      Type.Array(importItemSchema as TSchema, {
        description:
          "Every file's outcome in the order sent, for cloud_drive and cloud_files. Absent for esign_vendor, whose answer comes at once.",
      }),
    ),
  },
  { title: 'StartedImport' },
);

export function importEndpoints(deps: ImportDeps): Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/imports',
      scope: 'imports:read',
      summary: 'List imports',
      description: 'Newest first. An account that never imported gets an empty list.',
      query: { ...pageParameters, status: statusParameter(importStatuses) },
      answer: { status: 200, schema: listOf(importSchema), description: 'A page of imports.' },
      codes: ['conflicting_cursors', 'imports_unavailable'],
      read: (call, db) => orFail('imports_unavailable', importPage(call, db)),
    },
    {
      method: 'POST',
      path: '/imports',
      scope: 'imports:write',
      summary: 'Start an import',
      description:
        'Brings documents in from a cloud drive or a file store, and answers when the files are in: allow at least 90 seconds, and if you time out, retry with the same Idempotency-Key to receive the answer. ' +
        'A migration from the connected e-signature vendor (esign_vendor) is answered at once with every count at zero, and runs in the background: poll it until it is finished. Its documents arrive completed, count toward the storage of the month and are never refused for it. ' +
        'One failing file never stops the others. A file imported before resolves to the same document, so after a partial failure the whole list can be sent again. ' +
        'It costs as many units of the rate budget as it names files; a repetition with the same Idempotency-Key costs one.',
      body: { schema: startImportBody, required: true },
      answer: { status: 201, schema: startedImportSchema, description: 'The import, and what became of each file.' },
      codes: [
        'esign_not_connected',
        'drive_token_rejected',
        'cloud_import_requires_pro',
        'cloud_import_unavailable',
        'cloud_import_test_key',
        'import_quota_exceeded',
        'account_unavailable',
        'drive_unavailable',
        'import_already_running',
      ],
      failure: 'import_not_started',
      prepare({ body, caller }: Call) {
        const input = readStartImport(body, deps.links);
        return {
          units: input.source === 'esign_vendor' ? 1 : input.files.length,
          run: (once) => startImport(deps, caller, input, once),
        };
      },
      async showAgain({ body, caller }: Call, answered) {
        await assertMayRepeat(deps, caller, (body as ImportRequest).source);
        return hideRestricted(deps.database, caller.accountId, answered);
      },
    },
    {
      method: 'GET',
      path: '/imports/:id',
      scope: 'imports:read',
      summary: 'Retrieve an import',
      description: "404 for an id that does not exist, a malformed one and another account's.",
      answer: { status: 200, schema: importSchema, description: 'The import.' },
      codes: ['import_not_found', 'imports_unavailable'],
      mayReadAhead: true,
      read: async (call, db) => importJson(await ownImport(call, db)),
    },
    {
      method: 'GET',
      path: '/imports/:id/items',
      scope: 'imports:read',
      summary: "List an import's files",
      description: 'Oldest first: in the order sent, where they were sent through the API. Also while the import runs.',
      query: pageParameters,
      answer: { status: 200, schema: listOf(importItemSchema), description: 'A page of files.' },
      codes: ['conflicting_cursors', 'import_not_found', 'imports_unavailable'],
      read: (call, db) => orFail('imports_unavailable', itemPage(call, db)),
    },
  ];
}

async function ownImport({ caller, id }: Call, db: Queryable): Promise<Import> {
  const found = isUuid(id) ? await orFail('imports_unavailable', findImport(db, caller.accountId, id)) : null;
  if (found === null) throw new ApiError('import_not_found');
  return assertOwned(caller, found);
}

async function importPage(call: Call, db: Queryable) {
  const { caller, query } = call;
  const list = openList(call, 'imports');
  const statuses = readStatusFilter(query.status, importStatuses);
  return list.answer(
    (page) => listImports(db, caller.accountId, page, statuses),
    (row) => JSON.stringify(importJson(row)),
  );
}

async function itemPage(call: Call, db: Queryable) {
  const list = openList(call, `imports/${call.id.toLowerCase()}/items`);
  const { id } = await ownImport(call, db);
  return list.answer(
    (page) => listItems(db, call.caller.accountId, id, page),
    (row) => JSON.stringify(shownItemJson(row)),
  );
}
