import type { PageRequest } from '../http/page-request.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Import, ImportItem, ImportStatus } from './import.ts';

export const importColumns = `id, account_id, source, status, unlock_doc, api_key_id, started_by, total_files, filed, failed,
  created_at, finished_at`;

export const itemColumns = `id, account_id, import_id, index, name, status, reason, document_id, duplicate, bytes, pages,
  unlock_status, unlock_pages, unlock_credits, unlock_reason, created_at, finished_at`;

export async function findImport(db: Queryable, accountId: string, id: string): Promise<Import | null> {
  const rows = await db.query<Import>({
    name: 'find_import',
    text: `select ${importColumns} from imports where account_id = $1 and id = $2`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

/** Finds an import of any account, for operators. */
export async function findAnyImport(db: Queryable, id: string): Promise<Import | null> {
  const rows = await db.query<Import>({
    name: 'find_any_import',
    text: `select ${importColumns} from imports where id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** An item, and whether the API hides its document: a restricted one, or a template. */
export type ShownItem = ImportItem & { is_hidden: boolean };

const isHidden = `exists (
    select 1 from documents d where d.id = document_id and (d.restricted_kind is not null or d.is_template)
  ) as is_hidden`;

/** Lists all items in the order of the request, or of the vendor's list. */
export function listAllItems(db: Queryable, accountId: string, importId: string): Promise<ShownItem[]> {
  return db.query<ShownItem>({
    name: 'list_all_import_items',
    text: `select ${itemColumns}, ${isHidden} from import_items where account_id = $1 and import_id = $2 order by id`,
    values: [accountId, importId],
  });
}

const failedItemsMax = 1000;

/** Lists the first 1,000 failed items, in the same order. */
export function listFailedItems(db: Queryable, accountId: string, importId: string): Promise<ImportItem[]> {
  return db.query<ImportItem>({
    name: 'list_failed_import_items',
    text: `select ${itemColumns} from import_items
           where account_id = $1 and import_id = $2 and status = 'failed' order by id limit ${failedItemsMax}`,
    values: [accountId, importId],
  });
}

const comparison = { start: null, after: { newest: '<', oldest: '>' }, ending_at: { newest: '>=', oldest: '<=' } };

/**
 * Lists imports, newest first, which is `id desc` because ids are UUIDv7. Reads one row more than the page to tell
 * whether more follow. A page that ends at a position is read in reverse, and the caller reverses it. With statuses, the
 * index of each status is read and the results are merged.
 */
export async function listImports(
  db: Queryable,
  accountId: string,
  page: PageRequest,
  statuses: readonly ImportStatus[] | null,
): Promise<Import[]> {
  const upwards = page.position.kind === 'ending_at';
  const bound = comparison[page.position.kind];
  const where = `account_id = $1 ${bound === null ? '' : `and id ${bound.newest} $3`}`;
  const order = `order by id ${upwards ? 'asc' : 'desc'} limit $2`;
  const values = [accountId, rowsOf(page), ...positionOf(page)];
  if (statuses === null) {
    return db.query<Import>({
      name: `list_imports_${page.position.kind}`,
      text: `select ${importColumns} from imports where ${where} ${order}`,
      values,
    });
  }
  return db.query<Import>({
    name: `list_imports_${page.position.kind}_by_status`,
    text: `select i.* from unnest($${values.length + 1}::text[]) as wanted (status) cross join lateral (
             select ${importColumns} from imports where ${where} and imports.status = wanted.status ${order}
           ) i ${order}`,
    values: [...values, statuses],
  });
}

/** Lists the items of an import, oldest first, paged as in `listImports`. */
export async function listItems(
  db: Queryable,
  accountId: string,
  importId: string,
  page: PageRequest,
): Promise<ShownItem[]> {
  const upwards = page.position.kind === 'ending_at';
  const bound = comparison[page.position.kind];
  return db.query<ShownItem>({
    name: `list_import_items_${page.position.kind}`,
    text: `select ${itemColumns}, ${isHidden} from import_items
           where account_id = $1 and import_id = $3 ${bound === null ? '' : `and id ${bound.oldest} $4`}
           order by id ${upwards ? 'desc' : 'asc'} limit $2`,
    values: [accountId, rowsOf(page), importId, ...positionOf(page)],
  });
}

function rowsOf({ limit, position }: PageRequest): number {
  return position.kind === 'ending_at' ? limit : limit + 1;
}

function positionOf({ position }: PageRequest): string[] {
  return position.kind === 'start' ? [] : [position.id];
}

/** Lists the newest imports of one account, or of all, for operators. */
export function listNewestImports(db: Queryable, accountId: string | null, limit: number): Promise<Import[]> {
  return db.query<Import>({
    name: 'list_newest_imports',
    text: `select ${importColumns} from imports where $1::uuid is null or account_id = $1 order by id desc limit $2`,
    values: [accountId, limit],
  });
}
