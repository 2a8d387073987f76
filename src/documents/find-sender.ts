import type { MemberRole } from '../accounts/members.ts';
import { type Actor, readActor } from '../actor.ts';
import type { Queryable } from '../postgres/database.ts';

/** The member who sent a document in the console. */
export interface SendingMember {
  id: string;
  email: string;
  role: MemberRole;
}

/**
 * Returns the member who sent the document. Null when an API key or the operator sent it, and when the person is no longer a
 * member of the company.
 */
export async function findSendingMember(
  db: Queryable,
  { id, account_id }: { id: string; account_id: string },
): Promise<SendingMember | null> {
  const rows = await db.query<SendingMember>({
    name: 'find_sending_member',
    text: `select m.id, m.email, m.role from audit_entries e
           join people p on p.id = (case when e.actor like 'person:%' then substr(e.actor, 8) end)::uuid
           join members m on m.account_id = e.account_id and m.canonical_email = p.canonical_email
           where e.account_id = $1 and e.document_id = $2 and e.action = 'sent' order by e.seq desc limit 1`,
    values: [account_id, id],
  });
  return rows[0] ?? null;
}

/** Returns the member of the company that acts as `actor`. Null for other actors, and when the person is no longer a member. */
export async function findActingMember(
  db: Queryable,
  accountId: string,
  actor: Actor | null,
): Promise<SendingMember | null> {
  const { kind, id } = readActor(actor ?? 'service');
  if (kind !== 'person' || id === null) return null;
  const rows = await db.query<SendingMember>({
    name: 'find_acting_member',
    text: `select m.id, m.email, m.role from people p join members m on m.canonical_email = p.canonical_email
           where m.account_id = $1 and p.id = $2::uuid`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}
