import type { DocumentStatus } from '../documents/document.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Import, ImportItem, UnlockReason, UnlockStatus } from './import.ts';
import { importColumns, itemColumns } from './queries.ts';

/** An import with the names of whoever started it. */
export interface ShownImport extends Import {
  key_name: string | null;
  person_email: string | null;
}

/** An item with the document that it became, or resolved to. */
export interface ShownItem extends ImportItem {
  document_title: string | null;
  document_status: DocumentStatus | null;
  /** Whether that is a sensitive paper. */
  is_restricted: boolean;
  /** What became of unlocking it since, whoever asked for that. Null: nobody has, or its file is another by now. */
  document_unlock_status: UnlockStatus | null;
  document_unlock_reason: UnlockReason | null;
}

export interface PageAfter {
  afterId: string | null;
  limit: number;
}

const starters = `left join api_keys k on k.account_id = i.account_id and k.id = i.api_key_id
  left join people p on p.id = i.started_by`;
const named = 'i.*, k.name as key_name, p.email as person_email';

/** The newest first, after one of them. */
export function pageImports(db: Queryable, accountId: string, { afterId, limit }: PageAfter): Promise<ShownImport[]> {
  return db.query<ShownImport>({
    name: 'page_imports',
    text: `select ${named} from (
             select ${importColumns} from imports
             where account_id = $1 and id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
             order by id desc limit $3
           ) i ${starters} order by i.id desc`,
    values: [accountId, afterId, limit],
  });
}

export async function findShownImport(db: Queryable, accountId: string, id: string): Promise<ShownImport | null> {
  const rows = await db.query<ShownImport>({
    name: 'find_shown_import',
    text: `select ${named} from (select ${importColumns} from imports where account_id = $1 and id = $2) i ${starters}`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

/* biome-ignore format: a table reads as a table */
const outcomes = {
  all:    'true',
  filed:  `status = 'filed'`,
  failed: `status = 'failed'`,
  open:   `status in ('queued', 'running')`,
};

export type ShownOutcome = keyof typeof outcomes;

export function isShownOutcome(name: unknown): name is ShownOutcome {
  return typeof name === 'string' && Object.hasOwn(outcomes, name);
}

/**
 * The oldest first, after one of them: all, or those that came to the same. A page of a hundred thousand costs what a page
 * of ten does: it is read along the import's own index, and its documents are looked up one by one, where PostgreSQL, which
 * cannot know how small a page is, would rather read all documents of the account.
 */
export function pageItems(
  db: Queryable,
  { account_id: accountId, id }: Pick<Import, 'account_id' | 'id'>,
  which: ShownOutcome,
  { afterId, limit }: PageAfter,
): Promise<ShownItem[]> {
  return db.query<ShownItem>({
    name: `page_${which}_items`,
    text: `select i.*, d.title as document_title, d.status as document_status,
             coalesce(d.restricted_kind is not null, false) as is_restricted,
             d.unlock_status as document_unlock_status, d.unlock_reason as document_unlock_reason
           from (
             select ${itemColumns} from import_items
             where account_id = $1 and import_id = $2 and id > coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')
               and ${outcomes[which]}
             order by import_id, id limit $4
           ) i
           left join lateral (
             select d.title, d.status, d.restricted_kind, u.status as unlock_status, u.reason as unlock_reason
             from documents d
             left join document_files f on f.document_id = d.id
             left join document_unlocks u
               on u.document_id = f.document_id and f.sha256 in (u.source_sha256, u.used_sha256)
             where d.account_id = i.account_id and d.id = i.document_id limit 1
           ) d on true
           order by i.id`,
    values: [accountId, id, afterId, limit],
  });
}
