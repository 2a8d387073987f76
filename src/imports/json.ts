import type { Import, ImportItem } from './import.ts';
import type { ShownItem } from './queries.ts';

/** Returns an import as the API shows it. */
export function importJson(row: Import) {
  return {
    object: 'import' as const,
    id: row.id,
    source: row.source,
    status: row.status,
    total_files: row.total_files,
    filed: row.filed,
    failed: row.failed,
    remaining: row.total_files - row.filed - row.failed,
    created_at: row.created_at,
    finished_at: row.finished_at,
  };
}

export type ImportJson = ReturnType<typeof importJson>;

/** Returns one file of an import, with its outcome, as the API shows it. */
export function importItemJson(row: ImportItem) {
  return {
    object: 'import_item' as const,
    id: row.id,
    index: row.index,
    name: row.name,
    status: row.status,
    reason: row.reason,
    document_id: row.document_id,
    duplicate: row.duplicate,
    bytes: row.bytes,
    pages: row.pages,
    unlock:
      row.unlock_status === null
        ? null
        : {
            status: row.unlock_status,
            pages: row.unlock_pages,
            credits: row.unlock_credits,
            reason: row.unlock_reason,
          },
    created_at: row.created_at,
    finished_at: row.finished_at,
  };
}

/** Returns the item for a caller who may not see its document: without file name and document id. */
export function hiddenItemJson(row: ImportItem) {
  return importItemJson({ ...row, name: null, document_id: null });
}

export type ImportItemJson = ReturnType<typeof importItemJson>;

/** The answer of POST /imports for files. */
export type StartedImportJson = ImportJson & { items: ImportItemJson[] };

export function startedImportJson(row: Import, items: readonly ImportItem[]): StartedImportJson {
  return { ...importJson(row), items: items.map(importItemJson) };
}

/** Returns an item for an API key. */
export function shownItemJson(row: ShownItem): ImportItemJson {
  return row.is_hidden ? hiddenItemJson(row) : importItemJson(row);
}
