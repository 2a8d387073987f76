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

const looksAtOnce = 6;
/** For each look into the database: a client hears within 5 s that nothing was begun. */
const readMsMax = 2250;

/**
 * What is known of the files before any of their bytes are asked for, and how much of the month's storage each has to
 * hold. A store is asked for its files' sizes when room is short, or when told to. Throws `import_quota_exceeded` where
 * that can be told already, and what `OpenDrive.describe` throws.
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
 * A link says nothing of its file's size. While there is room for the largest, that is held until the first answer tells
 * more; when room is short, the store is asked beforehand.
 */
async function planStoreFiles(deps: ImportDeps, input: CloudFilesRequest, bytesLeft: number): Promise<NewFile[]> {
  const files = input.files.map((wanted) => storeFile({ ...deps, clock: deps.world.clock }, wanted));
  const isShort = bytesLeft < files.length * fileBytesMax;
  const reserved = isShort
    ? await inParallel(files, looksAtOnce, (file) => declaredReservation(file, deps.stopping))
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

/** The declared size, else the most that would be taken. What declares to be more than that will not land. */
function reservationOf({ content }: SourceFile, declaredBytes: number | null): number {
  if (content.kind === 'fails') return 0;
  const bytes = declaredBytes ?? content.bytesMax;
  return bytes > content.bytesMax ? 0 : bytes;
}
