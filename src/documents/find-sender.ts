import type { MemberRole } from '../accounts/members.ts';
import type { Queryable } from '../postgres/database.ts';

/** The member who sent a document in the console. */
export interface SendingMember {
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
    text: `select m.email, m.role from audit_entries e
           join people p on p.id = (case when e.actor like 'person:%' then substr(e.actor, 8) end)::uuid
           join members m on m.account_id = e.account_id and m.canonical_email = p.canonical_email
           where e.account_id = $1 and e.document_id = $2 and e.action = 'sent' order by e.seq desc limit 1`,
    values: [account_id, id],
  });
  return rows[0] ?? null;
}
