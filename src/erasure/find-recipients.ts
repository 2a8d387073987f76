import { canonicalEmail } from '../platform/canonical-email.ts';
import type { Queryable } from '../postgres/database.ts';

/** A recipient with the address that is erased, and the document. */
export interface FoundRecipient {
  id: string;
  account_id: string;
  document_id: string;
  /** Why the recipient can't be erased now. Null: can be. */
  obstacle: 'open' | 'unsealed' | null;
}

const lookedAtMax = 20_000;
const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Finds all recipients with an e-mail address, of one account or of all. There is no index on addresses, so it walks through
 * all recipients, in steps that each end soon.
 */
export async function findRecipients(
  db: Queryable,
  email: string,
  accountId: string | null,
): Promise<FoundRecipient[]> {
  const wanted = canonicalEmail(email);
  const found: FoundRecipient[] = [];
  for (let after = firstId; ; ) {
    const rows = await db.query<FoundRecipient & { email: string | null; last_id: string }>({
      name: 'recipients_to_erase',
      text: `with looked as materialized (
               select id, account_id, document_id, email from recipients where id > $1::uuid order by id limit ${lookedAtMax}
             )
             select r.id, r.account_id, r.document_id, r.email, (select id from looked order by id desc limit 1) as last_id,
               case when d.status in ('sent', 'partially_signed') then 'open'
                 when d.status = 'completed' and d.sealed_at is null and not d.is_migrated then 'unsealed' end as obstacle
             from looked r join documents d on d.account_id = r.account_id and d.id = r.document_id
             where ($2::uuid is null or r.account_id = $2) and r.email is not null
             union all
             select null, null, null, null, (select id from looked order by id desc limit 1), null`,
      values: [after, accountId],
    });
    const lastId = rows[0]?.last_id ?? null;
    found.push(...rows.filter((row) => row.email !== null && canonicalEmail(row.email) === wanted));
    if (lastId === null) return found;
    after = lastId;
  }
}
