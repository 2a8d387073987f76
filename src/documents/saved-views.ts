import { Refusal } from '../errors.ts';
import type { Queryable, Tx } from '../postgres/database.ts';

/** Filters of the document list that a member saved under a name. */
interface SavedView {
  name: string;
  /** The query of the list's address, such as `status=sent&sort=title`. */
  search: string;
}

/** A member of an account, who owns the views. */
export interface ViewOwner {
  accountId: string;
  memberId: string;
}

export const viewNameLengthMax = 60;
export const viewSearchLengthMax = 2000;

/** One member can save at most this many views. */
const savedViewsMax = 50;

export function listSavedViews(db: Queryable, { accountId, memberId }: ViewOwner): Promise<SavedView[]> {
  return db.query<SavedView>({
    name: 'list_saved_views',
    text: `select name, search from saved_views where account_id = $1 and member_id = $2
           order by lower(name), name limit $3`,
    values: [accountId, memberId, savedViewsMax],
  });
}

/** Saves a view, and replaces one of the same name. Throws a `Refusal` beyond `savedViewsMax`. */
export async function saveView(tx: Tx, { accountId, memberId }: ViewOwner, { name, search }: SavedView): Promise<void> {
  await tx.query({
    name: 'lock_member',
    text: 'select from members where account_id = $1 and id = $2 for update',
    values: [accountId, memberId],
  });
  const saved = await tx.query({
    name: 'save_view',
    text: `insert into saved_views (member_id, account_id, name, search)
           select m.id, m.account_id, $3, $4 from members m where m.account_id = $1 and m.id = $2
             and (select count(*) from saved_views v where v.member_id = m.id and v.name <> $3) < $5
           on conflict (member_id, name) do update set search = excluded.search returning name`,
    values: [accountId, memberId, name, search, savedViewsMax],
  });
  if (saved.length === 0) throw new Refusal(`a member can save at most ${savedViewsMax} views`);
}

/** Deletes a view, if it exists. */
export async function removeView(db: Queryable, { accountId, memberId }: ViewOwner, name: string): Promise<void> {
  await db.query({
    name: 'remove_view',
    text: 'delete from saved_views where account_id = $1 and member_id = $2 and name = $3',
    values: [accountId, memberId, name],
  });
}
