import type { MemberRole } from '../../accounts/members.ts';
import type { Document } from '../../documents/document.ts';
import { findDocumentInAccount, listRecipients, lockDocument } from '../../documents/queries.ts';
import type { Recipient } from '../../documents/recipient.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Queryable, Tx } from '../../postgres/database.ts';
import { isAtLeast } from '../core/authorise.ts';
import type { MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { mayDecide } from './document-actions.ts';

type OwnCall = Pick<MemberCall, 'caller' | 'params'>;

/**
 * Finds the document of the path's `:id`. Throws `not_found` for documents of other companies, and for restricted
 * documents if the caller is not an owner or admin.
 */
export async function findOwnDocument(db: Queryable, call: OwnCall): Promise<Document> {
  return assertSeen(call, await byId(call, (accountId, id) => findDocumentInAccount(db, accountId, id)));
}

/** Finds the document like `findOwnDocument`, but returns null if it is not found. */
export async function findSeenDocument(db: Queryable, call: OwnCall): Promise<Document | null> {
  const document = await byId(call, (accountId, id) => findDocumentInAccount(db, accountId, id));
  return document !== null && isSeen(call, document) ? document : null;
}

/** Finds the document and locks it. Also throws `forbidden` if the caller lost the session or the role in the meantime. */
export async function lockOwnDocument(tx: Tx, call: OwnCall): Promise<Document> {
  const document = assertSeen(call, await byId(call, (accountId, id) => lockDocument(tx, accountId, id, 'all')));
  await assertStillMay(tx, call);
  return document;
}

/** Checks session and role again, because waiting for a lock takes time. Throws `forbidden`. */
export async function assertStillMay(tx: Tx, { caller }: Pick<OwnCall, 'caller'>): Promise<void> {
  const { member_id, role } = caller.membership;
  const [now] = await tx.query<{ role: MemberRole }>({
    name: 'read_role_now',
    text: 'select m.role from members m where m.id = $1 and exists (select 1 from sessions s where s.id = $2)',
    values: [member_id, caller.session.id],
  });
  if (now === undefined || !isAtLeast(now.role, role)) throw new ConsoleError('forbidden');
}

/** Finds the recipient of the path's `:party`. Throws `not_found`. */
export async function findRecipient(
  db: Queryable,
  { params: { party: recipientId } }: Pick<MemberCall, 'params'>,
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

function assertSeen(call: OwnCall, document: Document | null): Document {
  if (document === null || !isSeen(call, document)) throw new ConsoleError('not_found');
  return document;
}

function isSeen({ caller }: OwnCall, { restricted_kind }: Document): boolean {
  return restricted_kind === null || isAtLeast(caller.membership.role, 'admin');
}
