import { accessTo, type FolderRole } from '../../accounts/document-access.ts';
import type { Document } from '../../documents/document.ts';
import { findDocumentInAccount, listRecipients, lockDocument } from '../../documents/queries.ts';
import type { Recipient } from '../../documents/recipient.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Queryable, Tx } from '../../postgres/database.ts';
import { isAtLeast, memberOf } from '../core/authorise.ts';
import type { MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { assertStillMay } from '../core/still-may.ts';
import { mayDecide } from './document-actions.ts';

type OwnCall = Pick<MemberCall, 'caller' | 'params' | 'isChange'>;

/**
 * Finds the document of the path's `:id`. Throws `not_found` for documents of other companies, and for those that the caller may
 * not see: restricted ones, and those in folders of others. Throws `forbidden` if a viewer of its folder asks for a change.
 */
export async function findOwnDocument(db: Queryable, call: OwnCall): Promise<Document> {
  return assertAllowed(db, call, await byId(call, (accountId, id) => findDocumentInAccount(db, accountId, id)));
}

/** Finds the document like `findOwnDocument`, but returns null if it is not found. */
export async function findSeenDocument(db: Queryable, call: OwnCall): Promise<Document | null> {
  const document = await byId(call, (accountId, id) => findDocumentInAccount(db, accountId, id));
  return document !== null && (await accessOf(db, call, document)) !== null ? document : null;
}

/** Finds the document and locks it. Also throws `forbidden` if the caller lost the session or the role in the meantime. */
export async function lockOwnDocument(tx: Tx, call: OwnCall): Promise<Document> {
  const found = await byId(call, (accountId, id) => lockDocument(tx, accountId, id, 'all'));
  const document = await assertAllowed(tx, call, found);
  await assertStillMay(tx, call);
  return document;
}

/** Finds the recipient of the path's `:recipient`. Throws `not_found`. */
export async function findRecipient(
  db: Queryable,
  { params: { recipient: recipientId } }: Pick<MemberCall, 'params'>,
  { account_id, id }: Pick<Document, 'account_id' | 'id'>,
): Promise<Recipient> {
  const found = (await listRecipients(db, account_id, id)).find((recipient) => recipient.id === recipientId);
  if (found === undefined) throw new ConsoleError('not_found');
  return found;
}

/** Throws `forbidden` if a member tries to change a document in review. Only owners and admins may. */
export function assertEditable({ caller }: Pick<OwnCall, 'caller'>, document: Document): void {
  if (!mayDecide(document, isAtLeast(caller.membership.role, 'admin'))) throw new ConsoleError('forbidden');
}

async function byId(
  { caller, params: { id = '' } }: OwnCall,
  read: (accountId: string, id: string) => Promise<Document | null>,
): Promise<Document | null> {
  return isUuid(id) ? read(caller.membership.account_id, id) : null;
}

async function assertAllowed(db: Queryable, call: OwnCall, document: Document | null): Promise<Document> {
  const access = document && (await accessOf(db, call, document));
  if (document === null || access === null) throw new ConsoleError('not_found');
  if (call.isChange && access === 'viewer') throw new ConsoleError('forbidden');
  return document;
}

/** Returns what the caller may do with a document of their company. Null: not even see it. */
export function accessOf(
  db: Queryable,
  { caller }: Pick<OwnCall, 'caller'>,
  document: Document,
): Promise<FolderRole | null> {
  return accessTo(db, memberOf(caller.membership), document);
}
