import type { MemberRole } from '../accounts/members.ts';
import type { Document } from '../documents/document.ts';
import { findDocumentOf, listRecipients, lockDocument } from '../documents/queries.ts';
import type { Recipient } from '../documents/recipient.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { isUuid } from '../world/ids.ts';
import { isAtLeast } from './authorise.ts';
import type { MemberCall } from './console-endpoint.ts';
import { ConsoleError } from './console-error.ts';

type Asked = Pick<MemberCall, 'caller' | 'params'>;

/**
 * The document that a call is about, by its `:id`. Another company's is not found, and neither is a sensitive paper by
 * whoever is no owner or admin. Throws `not_found`.
 */
export async function findOwnDocument(db: Queryable, call: Asked): Promise<Document> {
  return assertSeen(call, await byId(call, (accountId, id) => findDocumentOf(db, accountId, id)));
}

/** The same, locked against every other change. Throws `forbidden` for a caller who lost session or role meanwhile. */
export async function lockOwnDocument(tx: Tx, call: Asked): Promise<Document> {
  const document = assertSeen(call, await byId(call, (accountId, id) => lockDocument(tx, accountId, id, 'all')));
  await assertStillMay(tx, call);
  return document;
}

/** Session and role were read before the lock, and waiting for it may have taken a while. Throws `forbidden`. */
export async function assertStillMay(tx: Tx, { caller }: Pick<Asked, 'caller'>): Promise<void> {
  const { member_id, role } = caller.membership;
  const [now] = await tx.query<{ role: MemberRole }>({
    name: 'read_role_now',
    text: 'select m.role from members m where m.id = $1 and exists (select 1 from sessions s where s.id = $2)',
    values: [member_id, caller.session.id],
  });
  if (now === undefined || !isAtLeast(now.role, role)) throw new ConsoleError('forbidden');
}

/** The recipient of this document that a call's `:party` names. Throws `not_found`. */
export async function findParty(
  db: Queryable,
  { params: { party } }: Pick<MemberCall, 'params'>,
  { account_id, id }: Pick<Document, 'account_id' | 'id'>,
): Promise<Recipient> {
  const found = (await listRecipients(db, account_id, id)).find((recipient) => recipient.id === party);
  if (found === undefined) throw new ConsoleError('not_found');
  return found;
}

/** What is in review is changed, sent and voided by owners and admins alone, who judge it as it stands. Throws `forbidden`. */
export function assertEditable({ caller }: Pick<Asked, 'caller'>, { status }: Document): void {
  if (status === 'in_review' && !isAtLeast(caller.membership.role, 'admin')) throw new ConsoleError('forbidden');
}

async function byId(
  { caller, params: { id = '' } }: Asked,
  read: (accountId: string, id: string) => Promise<Document | null>,
): Promise<Document | null> {
  return isUuid(id) ? read(caller.membership.account_id, id) : null;
}

function assertSeen({ caller }: Asked, document: Document | null): Document {
  const isHidden = document?.restricted_kind !== null && !isAtLeast(caller.membership.role, 'admin');
  if (document === null || isHidden) throw new ConsoleError('not_found');
  return document;
}
