import { type Static, Type } from 'typebox';
import { attachFile } from '../../documents/attach-file.ts';
import { readAttachment, readDocumentFile } from '../../documents/attachment.ts';
import { copyDocument } from '../../documents/copy-document.ts';
import { createDocument } from '../../documents/create-document.ts';
import { readCreateDocumentBody, readEditDocumentBody } from '../../documents/create-document-body.ts';
import { canBeCopied, isUnsent } from '../../documents/document.ts';
import { editDocument } from '../../documents/edit-document.ts';
import { suggestFields } from '../../documents/form-fields.ts';
import { putInFolder } from '../../documents/move-documents.ts';
import type { NewFile } from '../../documents/new-file.ts';
import { placeFields } from '../../documents/place-fields.ts';
import { storeFile } from '../../documents/stored-files.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { readFileName } from '../core/read-file-name.ts';
import { type ReceivedFile, withReceivedFile } from '../core/receive-file.ts';
import { assertCurrent } from './assert-current.ts';
import { actorOf, change } from './change-document.ts';
import { createOnce, runOnce, withRequestId } from './create-once.ts';
import { orUnavailable } from './document-file-endpoints.ts';
import { type DocumentDetail, fieldViews } from './document-views.ts';
import { holdTarget, withFolder } from './hold-target.ts';
import { assertEditable, findOwnDocument, lockOwnDocument } from './own-document.ts';
import { addReminders, remindersBody, withReminders } from './reminders-body.ts';

const fields = Type.Object({ version: Type.Integer(), fields: Type.Array(Type.Object({})) });

/** The rest of the body is that of `POST /documents`. Existing recipients have their id. */
const edited = Type.Object({
  version: Type.Integer(),
  reminders: Type.Optional(remindersBody),
  ...withRequestId.properties,
});

/** `folder`: its folder, or null for none. */
const newDocument = Type.Object({ ...withReminders.properties, ...withFolder.properties, ...withRequestId.properties });

/** Creating and editing a draft or template: its content, its file and its fields. */
export const documentDraftEndpoints = [
  forMembers('POST /documents', 'member', { body: newDocument }, create),
  forMembers('POST /documents/:id', 'member', { body: edited }, edit),
  forMembers('POST /documents/:id/copy', 'member', { body: withRequestId }, copy),
  forMembers('POST /documents/:id/file', 'member', { takesFile: true }, attach),
  forMembers('GET /documents/:id/fields', 'member', {}, async ({ db }, call) => {
    const { account_id, id } = await findOwnDocument(db, call);
    return { data: fieldViews((await readAttachment(db, account_id, id))?.fields ?? []) };
  }),
  forMembers('GET /documents/:id/form-fields', 'member', {}, suggest),
  forMembers('POST /documents/:id/fields', 'member', { body: fields }, (deps, call) =>
    change(deps, call, async (tx, document) => {
      assertEditable(call, document);
      assertCurrent(document, call.body.version);
      await placeFields(deps.world, tx, document, actorOf(call), call.body.fields);
    }),
  ),
];

/** Names of radio buttons that have none in the file. */
const suggestedNames = {
  en: { group: 'Group', option: 'Option' },
  es: { group: 'Grupo', option: 'Opción' },
};

/** Answers with the fields that the form of the attached PDF suggests. Throws `not_found` without a file, and `page_unavailable`. */
async function suggest({ db, pages }: ConsoleDeps, call: MemberCall) {
  const { account_id, id } = await findOwnDocument(db, call);
  const file = await readDocumentFile(db, account_id, id);
  if (file === null) throw new ConsoleError('not_found');
  const form = await orUnavailable(pages.formFields({ sha256: file.sha256.toString('hex'), accountId: account_id }));
  return suggestFields(form, file.pages, suggestedNames[call.language]);
}

/** Creates a draft. Body and rules are those of `POST /documents` of the API, with reminders and a folder. */
async function create(deps: ConsoleDeps, call: MemberCall<Static<typeof newDocument>>) {
  const creator = { accountId: call.caller.membership.account_id, actor: actorOf(call), mode: 'live' } as const;
  const body = addReminders(readCreateDocumentBody(call.body), call.body);
  return createOnce(deps, call, '/documents', async (tx) => {
    const folder = await holdTarget(tx, call, call.body.folder ?? null);
    const { id } = await createDocument(deps.world, tx, creator, body);
    if (folder !== null) await putInFolder(tx, { account_id: creator.accountId, id, folder_id: null }, folder.id);
    return { id };
  });
}

/**
 * Copies a document with its recipients, file and fields to a new draft, whatever its status. Throws `refused` for a template,
 * and for a vendor's document, whose recipients are not those of the service.
 */
function copy(deps: ConsoleDeps, call: MemberCall<Static<typeof withRequestId>>) {
  return createOnce(deps, call, `/documents/${call.params.id}/copy`, async (tx) => {
    const document = await lockOwnDocument(tx, call);
    if (!canBeCopied(document)) throw new ConsoleError('refused');
    return { id: (await copyDocument(deps.world, tx, document, actorOf(call))).copy.id };
  });
}

/** Replaces the content, once for each id of a request. */
function edit(deps: ConsoleDeps, call: MemberCall<Static<typeof edited>>) {
  const body = addReminders(readEditDocumentBody(call.body), call.body);
  return change(deps, call, (tx, document) =>
    runOnce(deps.world, tx, call, `/documents/${call.params.id}`, async () => {
      assertEditable(call, document);
      assertCurrent(document, call.body.version);
      await editDocument(deps.world, tx, document, actorOf(call), body);
    }),
  );
}

/**
 * Attaches a PDF: `?name=Lease.pdf`. It can replace an earlier one, and keeps the fields that fit. If some don't fit, throws
 * `fields_unfit` with their number, unless they are to be removed: `?remove_fields=true`. `?version=` is checked if it is set.
 * `fields_kept`: the number of fields that are on the new file. Stores the file before the transaction.
 */
async function attach(deps: ConsoleDeps, call: MemberCall): Promise<DocumentDetail & { fields_kept: number }> {
  const { world, db, files, pdfReader } = deps;
  const asked = await findOwnDocument(db, call);
  assertEditable(call, asked);
  if (!isUnsent(asked.status)) throw new ConsoleError('refused');
  const name = readFileName(call.query);
  const version = readVersion(call.query);
  if (version !== null) assertCurrent(asked, version);
  return withReceivedFile(call, async (received: ReceivedFile) => {
    const found = await pdfReader.inspect(received.path, asked.account_id);
    if (!found.ok) throw new ConsoleError('invalid_pdf', { param: found.reason });
    const { sha256, bytes, path } = received;
    const file: NewFile = { sha256, bytes, name, pages: found.pages, isSigned: found.isSigned };
    await storeFile(world, db, files, file, path);
    let kept = 0;
    const changed = await change(deps, call, async (tx, document) => {
      assertEditable(call, document);
      if (version !== null) assertCurrent(document, version);
      const { fieldsKept, fieldsRemoved } = await attachFile(world, tx, document, actorOf(call), file);
      if (fieldsRemoved > 0 && call.query.remove_fields !== 'true') {
        throw new ConsoleError('fields_unfit', { value: String(fieldsRemoved) });
      }
      kept = fieldsKept;
    });
    return { ...changed, fields_kept: kept };
  });
}

/** Reads the version that the caller changes: `?version=12`. Null: not set. Throws `invalid_input`. */
function readVersion({ version }: MemberCall['query']): number | null {
  if (version === undefined) return null;
  if (typeof version !== 'string' || !/^\d{1,9}$/.test(version))
    throw new ConsoleError('invalid_input', { param: 'version' });
  return Number(version);
}
