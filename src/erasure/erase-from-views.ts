import { likePattern } from '../documents/document-filter.ts';
import type { Queryable } from '../postgres/database.ts';

interface NamedView {
  member_id: string;
  account_id: string;
  name: string;
  search: string;
}

/**
 * Deletes the saved views, of one account or of all, whose name or filters have an e-mail address or phone number. A longer
 * address or number that contains it is another person's. Returns the accounts that had such views.
 */
export async function eraseFromViews(db: Queryable, contact: string, accountId: string | null): Promise<string[]> {
  const whole = wholeContact(contact);
  const found = (await findViews(db, contact, accountId)).filter((view) =>
    textsOf(view).some((text) => whole.test(text)),
  );
  if (found.length === 0) return [];
  await db.query({
    name: 'erase_views',
    text: `delete from saved_views v using unnest($1::uuid[], $2::text[], $3::text[]) as e (member_id, name, search)
           where v.member_id = e.member_id and v.name = e.name and v.search = e.search`,
    values: [found.map((view) => view.member_id), found.map(({ name }) => name), found.map(({ search }) => search)],
  });
  return found.map((view) => view.account_id);
}

/** Finds the views that contain the text, also as a part of another address. */
function findViews(db: Queryable, contact: string, accountId: string | null): Promise<NamedView[]> {
  const forms = [contact, new URLSearchParams({ q: contact }).toString().slice('q='.length)];
  return db.query<NamedView>({
    name: 'views_to_erase',
    text: `select member_id, account_id, name, search from saved_views
           where ($2::uuid is null or account_id = $2) and concat_ws(' ', name, search) ilike any ($1::text[])`,
    values: [forms.map(likePattern), accountId],
  });
}

/** A query can also have an address without escapes, so its text is searched as it is, too. */
function textsOf({ name, search }: NamedView): string[] {
  return [name, search, ...new URLSearchParams(search).values()];
}

/** Matches the contact where it is no part of a longer one. A full stop after an address may end a sentence. */
function wholeContact(contact: string): RegExp {
  const text = contact.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  if (!contact.includes('@')) return new RegExp(`(?<!\\d)${text}(?!\\d)`, 'u');
  const letter = '[\\p{L}\\p{M}\\p{N}_]';
  return new RegExp(`(?<!${letter}|[.%+-])${text}(?!${letter}|[.-]+${letter})`, 'iu');
}
