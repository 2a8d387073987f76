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

/** What a browser, or the command line, says of the files that it is about to send. */
export interface UploadRequest {
  files: ReadonlyArray<{ name: string; bytes: number }>;
  unlockDoc: boolean;
}

/**
 * Writes down an import of files that a browser is going to send one by one, each as the body of a request: they are
 * counted, and room is held for what they are said to have. Those that are said to be too large have failed already.
 * The company's record tells who started it; `personId`: null for the operator. Throws `import_quota_exceeded`. Returns
 * the ids of the items in the order of the files.
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
  // What can be brought is not fetched from anywhere: it is sent.
  const content = { kind: 'fails', reason: isTooLarge ? 'too_large' : 'interrupted' } as const;
  const file = { name: cleanName(name), declaredBytes: bytes, driveFileId: null, revision: null, content };
  return { file, reservedBytes: isTooLarge ? 0 : bytes, encryptLink: null };
}

async function failTooLarge({ world }: Pick<UploadDeps, 'world'>, tx: Tx, created: CreatedImport): Promise<void> {
  for (const { id, file } of created.items) {
    if ((file.declaredBytes ?? 0) > fileBytesMax) {
      await failItem(world, tx, uploadLease(created.import.id), id, 'too_large');
    }
  }
}
