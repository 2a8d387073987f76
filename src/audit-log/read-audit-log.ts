import type { AccountAction } from '../accounts/account-audit.ts';
import { idsBetween } from '../platform/ids.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { actionsWithWord, detailsWithWord } from './audit-sentences.ts';
import { doerSql, doersWithWord, doerWithoutPersonSql } from './who-without-person.ts';

/** Filters of the audit log. Null matches everything. */
export interface AuditFilter {
  action: AccountAction | null;
  /** The e-mail address of who did it, in any case, `operator` or `service`. */
  person: string | null;
  /** Each word is in the sentence of an entry in either language, its details, or the name or address of who did it. */
  text: string | null;
  from: Date | null;
  to: Date | null;
}

export interface LoggedAction {
  /** Position in the log. It ascends with time. */
  id: string;
  at: Timestamp;
  action: AccountAction;
  detail: Record<string, unknown>;
  /** Null: the operator, the service, or someone unknown. */
  person_id: string | null;
  email: string | null;
  is_member: boolean;
}

export interface FoundActions {
  rows: LoggedAction[];
  /** Position to continue from. Null when everything was searched. */
  lookedTo: string | null;
}

/** Maximum number of entries searched by one statement. The next page continues from there. */
export const actionsLookedAtMax = 20_000;
const wordsMax = 10;

/**
 * Reads a page of a company's audit log, newest first, after a position. It has the entries of the company, and those about the
 * sign-in of a member from the moment when this person first opened the company after the invitation. The invitation alone shows
 * nothing, and nor does single sign-on: the company itself decides whom its provider calls by an address.
 */
export async function readAuditLog(
  db: Queryable,
  accountId: string,
  filter: AuditFilter,
  { afterId, limit }: { afterId: string | null; limit: number },
): Promise<FoundActions> {
  const { action, person, text, from, to } = filter;
  const isFiltered = Object.values(filter).some((value) => value !== null);
  const lookedAtMax = isFiltered ? actionsLookedAtMax : limit;
  const { low, high } = idsBetween(from, to);
  const found = await db.query<(LoggedAction | { id: null }) & { looked_at: number; end_id: string | null }>({
    name: 'read_audit_log',
    text: `with opened as (
             select p.id as person_id, first.id as since from members m join people p on p.canonical_email = m.canonical_email
             cross join lateral (
               select id from account_audit_entries
               where account_id = $1 and person_id = p.id and action in ('signed_in', 'company_opened') and id > m.id
                 and detail ->> 'method' is distinct from 'sso' order by id limit 1
             ) first
             where m.account_id = $1
           ), walked as (
             select * from (
               (select id, at, action, detail, person_id from account_audit_entries
                where account_id = $1 and id >= $2 and id < $3 order by id desc limit $4)
               union all
               (select own.id, own.at, own.action, own.detail, own.person_id from opened cross join lateral (
                  select * from account_audit_entries e
                  where e.account_id is null and e.person_id = opened.person_id and e.id > opened.since and e.id >= $2 and e.id < $3
                  order by e.id desc limit $4
                ) own)
             ) every_entry order by id desc limit $4
           ), found as (
             select w.*, p.email from walked w left join people p on p.id = w.person_id
             where ($5::text is null or w.action = $5)
               and ($6::text is null or lower(coalesce(p.email, ${doerWithoutPersonSql('w')})) = lower($6))
               and ($7::timestamptz is null or w.at >= $7) and ($8::timestamptz is null or w.at < $8)
               and not exists (
                 select from jsonb_array_elements($9::jsonb) word
                 where not (
                   coalesce(p.email ilike (word ->> 'pattern'), false) or word -> 'doers' ? ${doerSql('w', 'p')}
                   or word -> 'actions' ? w.action
                   or exists (
                     select from jsonb_path_query(w.detail, 'strict $.** ? (@.type() == "string" || @.type() == "number")') value
                     where value #>> '{}' ilike (word ->> 'pattern') or word -> 'details' ? (value #>> '{}')
                   )
                 )
               )
             order by w.id desc limit $10
           )
           select found.*, c.looked_at::integer as looked_at, c.end_id,
             exists (select from members m join people p on p.canonical_email = m.canonical_email
                     where m.account_id = $1 and p.id = found.person_id) as is_member
           from (select (select count(*) from walked) as looked_at, (select id from walked order by id limit 1) as end_id) c
           left join found on true order by found.id desc`,
    values: [
      accountId,
      low,
      afterId !== null && afterId < high ? afterId : high,
      lookedAtMax,
      action,
      person,
      from,
      to,
      JSON.stringify(wordsOf(text)),
      limit,
    ],
  });
  const rows = found.filter((row) => row.id !== null).map(({ looked_at: _n, end_id: _id, ...row }) => row);
  const { looked_at: lookedAt = 0, end_id: endId = null } = found[0] ?? {};
  const isDone = rows.length >= limit || lookedAt < lookedAtMax;
  return { rows: rows as LoggedAction[], lookedTo: isDone ? null : endId };
}

interface SearchWord {
  /** For addresses and details. */
  pattern: string;
  /** Whose name, sentence or shown text has the word. */
  doers: string[];
  actions: AccountAction[];
  details: string[];
}

function wordsOf(text: string | null): SearchWord[] {
  const words = (text ?? '').split(/\s+/).filter((word) => word !== '');
  return words.slice(0, wordsMax).map((word) => ({
    pattern: `%${word.replace(/[\\%_]/g, '\\$&')}%`,
    doers: doersWithWord(word),
    actions: actionsWithWord(word),
    details: detailsWithWord(word),
  }));
}
