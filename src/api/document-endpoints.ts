import { Type } from 'typebox';
import { apiKeyActor } from '../actor.ts';
import { createDocument } from '../documents/create-document.ts';
import { createDocumentBody, readCreateDocumentBody } from '../documents/create-document-body.ts';
import { documentStatuses } from '../documents/document.ts';
import { documentJson, documentText, recipientJson } from '../documents/json.ts';
import { documentSchema, recipientSchema } from '../documents/json-schemas.ts';
import { findVisibleDocument, listDocuments, listRecipients, mayShowCreation } from '../documents/queries.ts';
import { sendDocument } from '../documents/send-document.ts';
import { ApiError } from '../errors.ts';
import { listEnvelope, readStatusFilter } from '../http/page-request.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import { isUuid } from '../platform/ids.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { type Call, type Endpoint, orFail } from './endpoint.ts';
import { listOf, pageParameters, statusParameter } from './list-schema.ts';
import { openList } from './open-list.ts';
import { assertOwned } from './tenant.ts';

export function documentEndpoints(queue: JobQueue): Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/documents',
      scope: 'documents:read',
      summary: 'List documents',
      description: 'Newest first. Templates and restricted documents appear in no list.',
      query: { ...pageParameters, status: statusParameter(documentStatuses) },
      answer: { status: 200, schema: listOf(documentSchema), description: 'A page of documents.' },
      codes: ['conflicting_cursors', 'documents_unavailable'],
      mayReadAhead: true,
      read: (call, db) => orFail('documents_unavailable', listPage(call, db)),
    },
    {
      method: 'POST',
      path: '/documents',
      scope: 'documents:write',
      summary: 'Create a draft',
      description: 'Creates a draft and its recipients. Nothing is delivered until it is sent.',
      body: { schema: createDocumentBody, required: true },
      answer: { status: 201, schema: documentSchema, description: 'The draft.' },
      codes: ['missing_recipient_email', 'missing_recipient_phone', 'account_unavailable', 'document_not_found'],
      failure: 'document_create_failed',
      async writeInOneStatement({ world, caller, body }, db) {
        const creator = { accountId: caller.accountId, actor: apiKeyActor(caller.keyId), mode: caller.mode };
        const row = await createDocument(world, db, creator, readCreateDocumentBody(body));
        return documentJson(assertOwned(caller, row));
      },
      async assertMayRepeat({ caller }, tx, answered) {
        const mayShow = await mayShowCreation(tx, caller.accountId, JSON.parse(answered).id);
        if (!mayShow) throw new ApiError('document_not_found');
      },
    },
    {
      method: 'GET',
      path: '/documents/:id',
      scope: 'documents:read',
      summary: 'Retrieve a document',
      description:
        "404 for an id that does not exist, another account's, a malformed one, a template and a restricted document.",
      answer: { status: 200, schema: documentSchema, description: 'The document.' },
      codes: ['document_not_found', 'document_unavailable'],
      mayReadAhead: true,
      read: async (call, db) => documentJson(await visibleDocument(call, db)),
    },
    {
      method: 'POST',
      path: '/documents/:id/send',
      scope: 'documents:send',
      summary: 'Send a document for signature',
      description:
        'Moves a draft, or a document in review, to sent and delivers a signature request to each recipient whose turn it is. ' +
        'The key that sends decides: with a test key no e-mail or SMS leaves, for the whole life of the document. No property of the body is read.',
      body: { schema: Type.Object({}), required: false },
      answer: { status: 200, schema: documentSchema, description: 'The document, sent.' },
      codes: [
        'document_not_sendable',
        'no_recipients',
        'no_signers',
        'recipient_contact_required',
        'approver_requires_sequential',
        'pay_app_unsigned',
        'document_not_found',
      ],
      failure: 'document_send_failed',
      async write({ world, caller, id }, tx) {
        if (!isUuid(id)) throw new ApiError('document_not_found');
        const sender = {
          accountId: caller.accountId,
          actor: apiKeyActor(caller.keyId),
          sees: 'visible' as const,
          mode: caller.mode,
        };
        return documentJson(assertOwned(caller, await sendDocument(world, tx, queue, sender, id)));
      },
      assertMayRepeat: ({ caller, id }, tx) => assertVisible(tx, caller.accountId, id),
    },
    {
      method: 'GET',
      path: '/documents/:id/recipients',
      scope: 'recipients:read',
      summary: "List a document's recipients",
      description:
        'Ordered by sign_order, never paginated. Signing links and authentication material are never exposed.',
      answer: { status: 200, schema: listOf(recipientSchema), description: 'All recipients.' },
      codes: ['document_not_found', 'document_unavailable', 'recipients_unavailable'],
      mayReadAhead: true,
      async read(call, db) {
        const [, recipients] = await Promise.all([
          visibleDocument(call, db),
          orFail(
            'recipients_unavailable',
            isUuid(call.id) ? listRecipients(db, call.caller.accountId, call.id) : none(),
          ),
        ]);
        return listEnvelope(
          recipients.map((row) => recipientJson(assertOwned(call.caller, row))),
          false,
          () => '',
        );
      },
    },
  ];
}

/** Refuses a document that has been restricted since. Throws `document_not_found`. */
async function assertVisible(tx: Tx, accountId: string, id: string): Promise<void> {
  if ((await findVisibleDocument(tx, accountId, id)) === null) throw new ApiError('document_not_found');
}

async function visibleDocument(call: Call, db: Queryable) {
  const { caller, id } = call;
  const found = isUuid(id) ? await orFail('document_unavailable', findVisibleDocument(db, caller.accountId, id)) : null;
  if (found === null) throw new ApiError('document_not_found');
  return assertOwned(caller, found);
}

async function none(): Promise<never[]> {
  return [];
}

async function listPage(call: Call, db: Queryable) {
  const { caller, query } = call;
  const list = openList(call, 'documents');
  const statuses = readStatusFilter(query.status, documentStatuses);
  return list.answer(
    (page) => listDocuments(db, caller.accountId, page, statuses, documentText),
    ({ text }) => text,
  );
}
