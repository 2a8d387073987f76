import { Type } from 'typebox';
import { personActor } from '../../actor.ts';
import { type DocumentType, documentTypes } from '../../document-types.ts';
import { type RestrictedKind, restrictedKinds } from '../../documents/document.ts';
import { restrictDocument } from '../../documents/document-actions.ts';
import { lockDocument } from '../../documents/queries.ts';
import {
  pageRestrictedDocuments,
  type RestrictedDocument,
  readRestrictedTypes,
  setRestrictedTypes,
} from '../../documents/restricted-documents.ts';
import { isUuid } from '../../platform/ids.ts';
import { assertUnchanged } from '../core/assert-unchanged.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { type PagePosition, readListPage } from '../core/open-list.ts';
import { assertStillMay } from '../core/still-may.ts';

const kind = Type.Enum([...restrictedKinds]);
const types = Type.Array(Type.Enum([...documentTypes]), {
  maxItems: documentTypes.length,
  uniqueItems: true,
});

/** Restricted documents. No API key sees them. In the console only owners and admins do. */
export const restrictedEndpoints = [
  forMembers('GET /restricted-papers', 'admin', {}, listPage),
  forMembers('POST /restricted-papers', 'admin', { body: Type.Object({ document_id: Type.String(), kind }) }, restrict),
  forMembers('GET /restricted-types', 'admin', {}, async ({ db }, { caller }) => {
    return { types: await readRestrictedTypes(db, caller.membership.account_id) };
  }),
  forMembers(
    'POST /restricted-types',
    'admin',
    // `shown`: what the page showed.
    { body: Type.Object({ types, shown: Type.Optional(types) }), needsFreshSignIn: true },
    restrictTypes,
  ),
];

async function listPage(deps: ConsoleDeps, call: MemberCall) {
  const read = ({ accountId, afterId, limit }: PagePosition) =>
    pageRestrictedDocuments(deps.db, accountId, afterId, limit);
  return readListPage(deps, call, 'restricted papers', read, (document: RestrictedDocument) => document);
}

/** Restricts a document, or changes the kind of its restriction. `POST /documents/:id/lift-restriction` removes it. */
async function restrict({ world, db }: ConsoleDeps, call: MemberCall<{ document_id: string; kind: RestrictedKind }>) {
  const { caller, body } = call;
  const accountId = caller.membership.account_id;
  return db.transaction(async (tx) => {
    const document = isUuid(body.document_id) ? await lockDocument(tx, accountId, body.document_id, 'all') : null;
    const isDeleted = document?.is_template && document.status === 'voided';
    if (document === null || isDeleted) throw new ConsoleError('not_found', { param: 'document_id' });
    await assertStillMay(tx, call);
    await restrictDocument(world, tx, document, personActor(caller.person.id), body.kind);
    const { id, type, status, title, restricted_kind, created_at } = document;
    return { id, type, status, title, restricted_kind, created_at };
  });
}

/** Sets which types are restricted from now on. Existing documents do not change. Throws `changed_meanwhile`. */
async function restrictTypes(
  { world, db }: ConsoleDeps,
  { caller, body }: MemberCall<{ types: DocumentType[]; shown?: DocumentType[] }>,
) {
  const accountId = caller.membership.account_id;
  return db.transaction(async (tx) => {
    const shown = body.shown && { types: body.shown };
    await assertUnchanged(tx, accountId, shown, async () => ({ types: await readRestrictedTypes(tx, accountId) }));
    const types = await setRestrictedTypes(world, tx, accountId, body.types, caller.person.id);
    if (types === null) throw new ConsoleError('not_found');
    return { types };
  });
}
