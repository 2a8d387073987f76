import type { Plan } from '../accounts/plans.ts';
import { assertWithinQuota, readImportUse, storageLeft } from '../usage/import-quota.ts';
import { linkContext, type NewFile } from './create-import.ts';
import { fileBytesMax } from './import.ts';
import type { ImportDeps } from './import-deps.ts';
import { inParallel } from './in-parallel.ts';
import { findKnownRevisions } from './known-files.ts';
import { openDrive } from './sources/cloud-drive.ts';
import { storeFile } from './sources/cloud-files.ts';
import type { SourceFile } from './sources/source-file.ts';
import type { CloudDriveRequest, CloudFilesRequest } from './start-import-body.ts';

const describedAtOnce = 6;
/** The limit of each database read, so that a client learns within 5 s that nothing was started. */
const readMsMax = 2250;

/**
 * Describes the files before any download, with the storage that each must reserve. Requests the sizes of a store's
 * files if storage is short or `asksForSizes` is set. Throws `import_quota_exceeded` if the files can't fit, and what
 * `OpenDrive.describe` throws.
 */
export async function planFiles(
  deps: ImportDeps,
  accountId: string,
  plan: Plan,
  input: CloudDriveRequest | CloudFilesRequest,
  asksForSizes = false,
): Promise<NewFile[]> {
  const use = await readImportUse(deps.database.within(readMsMax), accountId, deps.world.clock.now());
  assertWithinQuota(plan, use, { files: input.files.length, bytes: 0 });
  if (input.source === 'cloud_drive') return planDriveFiles(deps, accountId, input);
  assertWithinQuota(plan, use, { files: input.files.length, bytes: 1 });
  return planStoreFiles(deps, input, asksForSizes ? 0 : storageLeft(plan, use));
}

async function planDriveFiles(deps: ImportDeps, accountId: string, input: CloudDriveRequest): Promise<NewFile[]> {
  const drive = openDrive({ ...deps, clock: deps.world.clock }, input.accessToken);
  const ids = input.files.map(({ id }) => id);
  const files = await drive.describe(ids, deps.stopping);
  const revisions = files.flatMap(({ revision }) => (revision === null ? [] : [revision]));
  const known = await findKnownRevisions(deps.database.within(readMsMax), accountId, revisions);
  return files.map((file) => {
    const isKnown = file.revision !== null && known.has(JSON.stringify(file.revision));
    return { file, encryptLink: null, reservedBytes: isKnown ? 0 : reservationOf(file, file.declaredBytes) };
  });
}

/**
 * A link doesn't tell its file's size. While there is room, each file reserves the largest size until its download
 * begins. If storage is short, the sizes are requested first.
 */
async function planStoreFiles(deps: ImportDeps, input: CloudFilesRequest, bytesLeft: number): Promise<NewFile[]> {
  const files = input.files.map((wanted) => storeFile({ ...deps, clock: deps.world.clock }, wanted));
  const isShort = bytesLeft < files.length * fileBytesMax;
  const reserved = isShort
    ? await inParallel(files, describedAtOnce, (file) => declaredReservation(file, deps.stopping))
    : files.map((file) => reservationOf(file, null));
  return files.map((file, index) => {
    const { url } = input.files[index] as CloudFilesRequest['files'][number];
    const encryptLink = (itemId: string) => deps.secretBox.encrypt(url, linkContext(itemId));
    return { file, encryptLink, reservedBytes: reserved[index] ?? 0 };
  });
}

async function declaredReservation(file: SourceFile, signal: AbortSignal): Promise<number> {
  if (file.content.kind === 'fails') return 0;
  const opened = await file.content.open(signal);
  if (opened.kind === 'failed') return 0;
  opened.body.destroy();
  return reservationOf(file, opened.declaredBytes);
}

/** Returns the declared size, or else the largest accepted one. A file that declares more will fail and reserves nothing. */
function reservationOf({ content }: SourceFile, declaredBytes: number | null): number {
  if (content.kind === 'fails') return 0;
  const bytes = declaredBytes ?? content.bytesMax;
  return bytes > content.bytesMax ? 0 : bytes;
}
