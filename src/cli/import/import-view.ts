import type { Import } from '../../imports/import.ts';
import { importJson, type StartedImportJson, startedImportJson } from '../../imports/json.ts';
import { listAllItems, listFailedItems } from '../../imports/queries.ts';
import type { Queryable } from '../../postgres/database.ts';
import { card, table } from '../core/terminal.ts';

/** The Import as the API shows it, plus its account. */
export function viewImport(row: Import) {
  return { ...importJson(row), account_id: row.account_id };
}

export type ImportView = StartedImportJson & { account_id: string };

/** Reads the items of an import. For a vendor import, which has any number of files, only failed ones, at most a thousand. */
export async function viewItems(db: Queryable, row: Import): Promise<ImportView> {
  const isMigration = row.source === 'esign_vendor';
  const items = await (isMigration ? listFailedItems : listAllItems)(db, row.account_id, row.id);
  return { ...startedImportJson(row, items), account_id: row.account_id };
}

export function showImport({ items, object: _, ...row }: ImportView): string {
  const files = items.map(({ index, status, reason, document_id, pages, name }) => ({
    index,
    status: reason ?? status,
    document_id,
    pages,
    name,
  }));
  return `${card(row)}\n${table(files, row.source === 'esign_vendor' ? 'no failures' : 'no files')}`;
}
