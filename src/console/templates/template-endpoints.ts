import { type Static, Type } from 'typebox';
import { readEditDocumentBody } from '../../documents/create-document-body.ts';
import { type Document, isUnsent } from '../../documents/document.ts';
import { listTemplates } from '../../documents/list-templates.ts';
import { putInFolder } from '../../documents/move-documents.ts';
import { listRecipientsOfDocuments } from '../../documents/queries.ts';
import { readSending } from '../../documents/read-sending.ts';
import {
  createTemplate,
  deleteTemplate,
  draftFromTemplate,
  saveAsTemplate,
  titleOfCopy,
} from '../../documents/templates.ts';
import { readerOf } from '../core/authorise.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { readListPage } from '../core/open-list.ts';
import { readWords } from '../core/read-words.ts';
import { assertCurrent } from '../documents/assert-current.ts';
import { actorOf } from '../documents/change-document.ts';
import { createOnce, withRequestId } from '../documents/create-once.ts';
import { documentSummary } from '../documents/document-views.ts';
import { holdTarget, withFolder } from '../documents/hold-target.ts';
import { assertEditable, lockOwnDocument } from '../documents/own-document.ts';
import { readFolder } from '../documents/read-document-filter.ts';
import { addReminders, remindersBody, withReminders } from '../documents/reminders-body.ts';
import { lockOwnTemplate } from './own-template.ts';

const newTemplate = Type.Object({ ...withReminders.properties, ...withFolder.properties, ...withRequestId.properties });
const fromTemplate = Type.Object({
  version: Type.Integer(),
  reminders: Type.Optional(remindersBody),
  ...withRequestId.properties,
});

/** Templates. They are read and edited like documents: `GET /documents/:id`, `POST /documents/:id`, `…/file`, `…/fields`. */
export const templateEndpoints = [
  forMembers('GET /templates', 'member', {}, listPage),
  forMembers('POST /templates', 'member', { body: newTemplate }, (deps, call) =>
    createOnce(deps, call, '/templates', async (tx) => {
      const accountId = call.caller.membership.account_id;
      const body = addReminders(readEditDocumentBody(call.body), call.body);
      const folder = await holdTarget(tx, call, call.body.folder ?? null);
      const template = await createTemplate(deps.world, tx, accountId, actorOf(call), body);
      if (folder !== null) await putInFolder(tx, template, folder.id);
      return idOf(template);
    }),
  ),
  forMembers('POST /templates/:id/use', 'member', { body: fromTemplate }, (deps, call) =>
    createOnce(deps, call, `/templates/${call.params.id}/use`, async (tx) => {
      const template = await lockOwnTemplate(tx, call);
      assertCurrent(template, call.body.version);
      const body = addReminders(readEditDocumentBody(call.body), call.body);
      return idOf(await draftFromTemplate(deps.world, tx, template, actorOf(call), body));
    }),
  ),
  forMembers('DELETE /templates/:id', 'admin', {}, ({ world, db }, call) =>
    db.transaction(async (tx) => {
      await deleteTemplate(world, tx, await lockOwnTemplate(tx, call), actorOf(call));
    }),
  ),
  forMembers('POST /documents/:id/template', 'member', { body: withRequestId }, save),
];

/** Lists templates. `q`: search words. `folder`: as for documents. */
async function listPage(deps: ConsoleDeps, call: MemberCall) {
  const words = readWords(call.query.q);
  const folder = readFolder(call.query);
  const { db } = deps;
  return readListPage(
    deps,
    call,
    'templates',
    async ({ accountId, afterId, limit }) => {
      const rows = await listTemplates(db, accountId, {
        words,
        folder,
        readerId: readerOf(call),
        after: afterId,
        limit,
      });
      const ids = rows.map(({ id }) => id);
      const [all, sending] = await Promise.all([
        listRecipientsOfDocuments(db, accountId, ids),
        readSending(db, accountId, ids),
      ]);
      const recipients = Map.groupBy(all, ({ document_id }) => document_id);
      return rows.map((row) => documentSummary(row, recipients.get(row.id) ?? [], sending.get(row.id)));
    },
    (summary) => summary,
  );
}

/**
 * Saves an unsent document as a template, or duplicates a template under the title of a copy. After sending, recipients may have been
 * replaced.
 */
function save(deps: ConsoleDeps, call: MemberCall<Static<typeof withRequestId>>) {
  return createOnce(deps, call, `/documents/${call.params.id}/template`, async (tx) => {
    const document = await lockOwnDocument(tx, call);
    assertEditable(call, document);
    if (!isUnsent(document.status)) throw new ConsoleError('refused');
    const title = document.is_template ? titleOfCopy(document.title, call.language) : null;
    return idOf(await saveAsTemplate(deps.world, tx, document, actorOf(call), title));
  });
}

function idOf({ id }: Document): { id: string } {
  return { id };
}
