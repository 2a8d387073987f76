import type { Tier } from '../accounts/plans.ts';
import { firstIdAt, isUuid } from '../platform/ids.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

/** Counting the members and documents of a company stops here. */
const companyCountMax = 10_000;

/** A company as operators see it: counts, and nothing of what its documents say. */
export interface Company {
  id: string;
  display_name: string;
  tier: string;
  created_at: Timestamp;
  removed_at: Timestamp | null;
  erased_at: Timestamp | null;
  /** At most `companyCountMax + 1`, as is `documents_this_month`. */
  members: number;
  documents_this_month: number;
  /** Null: not measured yet. */
  stored_bytes: number | null;
  stored_files: number | null;
  measured_at: Timestamp | null;
}

export interface CompanyFilter {
  /** A part of the name in any case, or the whole id. */
  search: string | null;
  tier: Tier | null;
}

/** Lists companies, removed ones too, the newest first, after one of them. */
export async function listCompanies(
  db: Queryable,
  now: Date,
  { search, tier }: CompanyFilter,
  { afterId, limit }: { afterId: string | null; limit: number },
): Promise<Company[]> {
  return db.query<Company>({
    name: 'list_companies',
    text: `${companiesWith(`
             ($3::uuid is null or id < $3) and ($4::text is null or display_name ilike $4 or id = $5)
             and ($6::text is null or tier = $6) order by id desc limit $7`)} order by page.id desc`,
    values: [
      firstIdAt(monthStart(now)),
      companyCountMax + 1,
      afterId,
      search === null ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`,
      search !== null && isUuid(search) ? search : null,
      tier,
      limit,
    ],
  });
}

export async function findCompany(db: Queryable, now: Date, id: string): Promise<Company | null> {
  const [company] = await db.query<Company>({
    name: 'find_company',
    text: companiesWith('id = $3'),
    values: [firstIdAt(monthStart(now)), companyCountMax + 1, id],
  });
  return company ?? null;
}

function companiesWith(condition: string): string {
  return `with page as (
      select id, display_name, tier, created_at, removed_at, erased_at from accounts where ${condition}
    )
    select page.*, s.bytes as stored_bytes, s.files as stored_files, s.measured_at,
      (select count(*)::int from (select from members m where m.account_id = page.id limit $2) counted) as members,
      (select count(*)::int from (
         select from documents d where d.account_id = page.id and d.id >= $1 and not d.is_template limit $2
       ) counted) as documents_this_month
    from page left join account_storage s on s.account_id = page.id`;
}

function monthStart(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}
