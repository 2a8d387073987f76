import { auditAccount } from '../../accounts/account-audit.ts';
import type { Tx } from '../../postgres/database.ts';
import { type CreatedImport, createImport, type NewFile } from '../create-import.ts';
import { fileBytesMax } from '../import.ts';
import type { UploadDeps } from '../import-deps.ts';
import { failItem } from '../settle-item.ts';
import { cleanName } from '../title-of.ts';
import { holdUpload, uploadLease } from './upload-lease.ts';

export const filesPerUploadMax = 1000;

type StartDeps = Pick<UploadDeps, 'world' | 'plans'>;

/** The files that a browser, or the command line, announces before it sends them. */
export interface UploadRequest {
  files: ReadonlyArray<{ name: string; bytes: number }>;
  unlockDoc: boolean;
}

/**
 * Creates an import of files that a browser will send one by one, each as the body of a request. Counts the files and
 * reserves their announced sizes; files that are announced as too large fail at once. The account's audit names who
 * started it (`personId`: null for the operator). Returns the item ids in the files' order. Throws
 * `import_quota_exceeded`.
 */
export async function startUpload(
  deps: StartDeps,
  tx: Tx,
  { accountId, personId }: { accountId: string; personId: string | null },
  { files, unlockDoc }: UploadRequest,
): Promise<{ id: string; items: string[] }> {
  const created = await createImport(deps, tx, {
    accountId,
    keyId: null,
    personId,
    source: 'upload',
    unlockDoc,
    files: files.map(fileToCome),
  });
  const { id } = created.import;
  await holdUpload(deps.world, tx, id);
  await failTooLarge(deps, tx, created);
  const detail = { import_id: id, files: files.length };
  await auditAccount(deps.world, tx, { accountId, personId, action: 'upload_started', detail });
  return { id, items: created.items.map((item) => item.id) };
}

function fileToCome({ name, bytes }: UploadRequest['files'][number]): NewFile {
  const isTooLarge = bytes > fileBytesMax;
  // There is nothing to download: the file is sent to us.
  const content = { kind: 'fails', reason: isTooLarge ? 'too_large' : 'interrupted' } as const;
  const file = {
    name: cleanName(name),
    declaredBytes: bytes,
    driveFileId: null,
    revision: null,
    linkHash: null,
    content,
  };
  return { file, reservedBytes: isTooLarge ? 0 : bytes, encryptLink: null };
}

async function failTooLarge({ world }: Pick<UploadDeps, 'world'>, tx: Tx, created: CreatedImport): Promise<void> {
  for (const { id, file } of created.items) {
    if ((file.declaredBytes ?? 0) > fileBytesMax) {
      await failItem(world, tx, uploadLease(created.import.id), id, 'too_large');
    }
  }
}
