import { isHidden } from '../accounts/document-access.ts';
import type { DocumentStatus } from '../documents/document.ts';
import type { Queryable } from '../postgres/database.ts';
import type { UnlockReason, UnlockStatus } from '../unlock/jobs/document-unlock.ts';
import type { Import, ImportItem } from './import.ts';
import { importColumns, itemColumns } from './queries.ts';

/** An import with the name of the key or the e-mail address of the person that started it. */
export interface ShownImport extends Import {
  key_name: string | null;
  person_email: string | null;
}

/** An item with its document, new or imported before. */
export interface ShownItem extends ImportItem {
  document_title: string | null;
  document_status: DocumentStatus | null;
  /** Whether the reader may not see the document. */
  is_hidden: boolean;
  /** The latest outcome of unlocking the document's file. Null if that was never requested for this file. */
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

/** Lists imports, newest first, after `afterId`. */
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
 * Lists items, oldest first, after `afterId`: all, or those with one outcome. The cost doesn't depend on the import's
 * size: the page is read along the import's index. The lateral join looks its documents up one by one; otherwise
 * PostgreSQL, which doesn't know how small a page is, would read all documents of the account. `readerId`: from `readerIdOf`.
 */
export function pageItems(
  db: Queryable,
  { account_id: accountId, id }: Pick<Import, 'account_id' | 'id'>,
  which: ShownOutcome,
  readerId: string | null,
  { afterId, limit }: PageAfter,
): Promise<ShownItem[]> {
  return db.query<ShownItem>({
    name: `page_${which}_items`,
    text: `select i.*, d.title as document_title, d.status as document_status,
             coalesce(d.is_hidden, false) as is_hidden,
             d.unlock_status as document_unlock_status, d.unlock_reason as document_unlock_reason
           from (
             select ${itemColumns} from import_items
             where account_id = $1 and import_id = $2 and id > coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')
               and ${outcomes[which]}
             order by import_id, id limit $4
           ) i
           left join lateral (
             select d.title, d.status, ${isHidden('d', '$5')} as is_hidden, u.status as unlock_status, u.reason as unlock_reason
             from documents d
             left join document_files f on f.document_id = d.id
             left join document_unlocks u
               on u.document_id = f.document_id and f.sha256 in (u.source_sha256, u.used_sha256)
             where d.account_id = i.account_id and d.id = i.document_id limit 1
           ) d on true
           order by i.id`,
    values: [accountId, id, afterId, limit, readerId],
  });
}
