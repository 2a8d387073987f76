import { type Actor, apiKeyActor, personActor } from '../actor.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import type { UnlockReason, UnlockStatus } from '../unlock/jobs/document-unlock.ts';

export const startableSources = ['esign_vendor', 'cloud_drive', 'cloud_files'] as const;
export const importSources = [...startableSources, 'upload'] as const;
export const importStatuses = ['running', 'finished'] as const;
export const itemStatuses = ['queued', 'running', 'filed', 'failed'] as const;

export const failureReasons = [
  'unsupported_type',
  'too_large',
  'export_too_large',
  'not_found',
  'permission_denied',
  'link_expired',
  'download_failed',
  'invalid_pdf',
  'source_unavailable',
  'storage_unavailable',
  'interrupted',
] as const;

/** Files that failed for one of these reasons are tried again by a repeated request with the same Idempotency-Key. */
export const repeatableReasons: ReadonlyArray<FailureReason | null> = ['interrupted', 'storage_unavailable'];

export type ImportSource = (typeof importSources)[number];
export type ImportStatus = (typeof importStatuses)[number];
export type ItemStatus = (typeof itemStatuses)[number];
export type FailureReason = (typeof failureReasons)[number];

/** One row of `imports`. */
export interface Import {
  id: string;
  account_id: string;
  source: ImportSource;
  status: ImportStatus;
  unlock_doc: boolean;
  api_key_id: string | null;
  /** The person who started it in the console. With neither, the operator did. */
  started_by: string | null;
  total_files: number;
  filed: number;
  failed: number;
  created_at: Timestamp;
  finished_at: Timestamp | null;
}

/** Returns the actor that the audit trails of the imported documents name. */
export function starterOf({ api_key_id, started_by }: Pick<Import, 'api_key_id' | 'started_by'>): Actor {
  if (api_key_id !== null) return apiKeyActor(api_key_id);
  return started_by === null ? 'operator' : personActor(started_by);
}

/** One row of `import_items`, without the columns that only the running import needs. */
export interface ImportItem {
  id: string;
  account_id: string;
  import_id: string;
  index: number | null;
  name: string | null;
  status: ItemStatus;
  reason: FailureReason | null;
  document_id: string | null;
  duplicate: boolean;
  bytes: number | null;
  pages: number | null;
  unlock_status: UnlockStatus | null;
  unlock_pages: number | null;
  unlock_credits: number | null;
  unlock_reason: UnlockReason | null;
  created_at: Timestamp;
  finished_at: Timestamp | null;
}

/** The largest file, in bytes as received, whatever size was declared. */
export { fileBytesMax } from '../documents/attach-file.ts';
/** The largest PDF, in bytes, that the drive exports from its own document formats. */
export const exportBytesMax = 10 * 1024 * 1024;
export const filesPerImportMax = 25;
export const fileNameLengthMax = 400;
