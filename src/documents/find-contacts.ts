import { isInSeenFolder } from '../accounts/document-access.ts';
import type { Queryable } from '../postgres/database.ts';

/** Someone who was a recipient before. */
export interface Contact {
  name: string;
  email: string | null;
  phone: string | null;
}

/**
 * Reads the recipients of this many documents, the newest ones, and of more if they have too few people. No index of people slows
 * down every write.
 */
const documentsReadMax = [1000, 10_000];
/** So many documents are looked at to find those whose folder the reader sees. */
const documentsWalkedMax = 10_000;

interface Wanted {
  accountId: string;
  /** From `readerIdOf`. */
  readerId: string | null;
  text: string;
  limit: number;
}

/**
 * Finds people among the recipients of the newest documents: those with a word of their name, or whose e-mail address, begins
 * with the text. Upper and lower case are the same. The last used come first. Leaves out restricted documents, and those in
 * folders that the reader does not see.
 */
export async function findContacts(db: Queryable, wanted: Wanted): Promise<Contact[]> {
  let found: Contact[] = [];
  for (const max of documentsReadMax) {
    found = await findAmong(db, max, wanted);
    if (found.length === wanted.limit) break;
  }
  return found;
}

function findAmong(
  db: Queryable,
  documentsMax: number,
  { accountId, readerId, text, limit }: Wanted,
): Promise<Contact[]> {
  return db.query<Contact>({
    name: 'find_contacts',
    text: `with newest as materialized (
             select d.id from (
               select id, folder_id from documents
               where account_id = $1 and not is_template and restricted_kind is null order by id desc limit $6
             ) d where ${isInSeenFolder('d', '$5')} limit $3
           ), found as (
             select distinct on (r.display_name, lower(r.email), r.phone)
               r.display_name as name, r.email, r.phone, r.document_id, r.position
             from newest n join recipients r on r.account_id = $1 and r.document_id = n.id
             where (r.email is not null or r.phone is not null)
               and (starts_with(lower(r.display_name), lower($2)) or starts_with(lower(r.email), lower($2))
                 or strpos(lower(r.display_name), ' ' || lower($2)) > 0)
             order by r.display_name, lower(r.email), r.phone, r.document_id desc
           )
           select name, email, phone from found order by document_id desc, position limit $4`,
    values: [accountId, text, documentsMax, limit, readerId, documentsWalkedMax],
  });
}
