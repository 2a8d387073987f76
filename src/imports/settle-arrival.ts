import { storeFile } from '../documents/stored-files.ts';
import type { Tx } from '../postgres/database.ts';
import { chargeStorage, lockImportUsage } from '../usage/import-quota.ts';
import { type ArrivedFile, createImportedDocument } from './create-imported-document.ts';
import type { FailureReason, Import } from './import.ts';
import type { ImportDeps } from './import-deps.ts';
import { findKnownFile, type KnownFile, rememberFile, rememberRevision } from './known-files.ts';
import type { Lease } from './lease.ts';
import type { Saved } from './save-file.ts';
import { failItem, fileItem } from './settle-item.ts';
import type { DriveRevision } from './sources/source-file.ts';
import { asStorageError } from './storage-error.ts';

/** What a file turned out to be, once its bytes were seen or were not needed. */
export type Arrival =
  | { kind: 'arrived'; file: ArrivedFile }
  | { kind: 'known'; known: KnownFile }
  | { kind: 'failed'; reason: FailureReason };

/** An import under the lease of whoever records what becomes of its files. */
export interface Leased {
  import: Import;
  lease: Lease;
}

type SettlingDeps = Pick<ImportDeps, 'world' | 'database' | 'unlock'>;

/** Looks at a file whose bytes are on this disk, and takes a new one into the store. Throws a `StorageError` when the store fails. */
export async function storeArrival(
  { world, database, files, pdfReader }: Pick<ImportDeps, 'world' | 'database' | 'files' | 'pdfReader'>,
  accountId: string,
  { path, sha256, bytes }: Extract<Saved, { kind: 'received' }>,
  name: string | null,
): Promise<Arrival> {
  const known = await findKnownFile(database, accountId, { revision: null, sha256 });
  if (known !== null) return { kind: 'known', known };
  const pdf = await pdfReader.inspect(path);
  if (!pdf.ok) return { kind: 'failed', reason: 'invalid_pdf' };
  await asStorageError(storeFile(world, database, files, { sha256, bytes }, path));
  return { kind: 'arrived', file: { name, sha256, bytes, pdf } };
}

/**
 * One transaction for the document, what it is charged, and the end of the item. Throws when that cannot be recorded,
 * and `LeaseLost`.
 */
export async function settleArrival(
  deps: SettlingDeps,
  leased: Leased,
  item: { id: string; revision: DriveRevision | null },
  arrival: Arrival,
): Promise<void> {
  const { world, database } = deps;
  if (arrival.kind === 'failed') await failItem(world, database, leased.lease, item.id, arrival.reason);
  else await database.transaction((tx) => file(deps, tx, leased, item, arrival));
}

/** Under the account's lock, so that of two imports of the same file the second finds what the first has filed. */
async function file(
  { world, unlock }: SettlingDeps,
  tx: Tx,
  { import: row, lease }: Leased,
  { id, revision }: { id: string; revision: DriveRevision | null },
  arrival: Exclude<Arrival, { kind: 'failed' }>,
): Promise<void> {
  const accountId = row.account_id;
  await lockImportUsage(tx, accountId, world.clock.now());
  const { sha256 } = arrival.kind === 'arrived' ? arrival.file : arrival.known;
  const known = await findKnownFile(tx, accountId, { revision, sha256 });
  const filed = known ?? (arrival.kind === 'known' ? arrival.known : await fileNew(world, tx, row, arrival.file));
  if (revision !== null) await rememberRevision(tx, accountId, revision, filed.sha256);
  const ending = { ...filed, isDuplicate: known !== null, isToUnlock: unlock !== null };
  await fileItem(world, tx, lease, id, ending);
  if (row.unlock_doc) await unlock?.enqueue(tx, { accountId, documentId: filed.documentId });
}

async function fileNew(world: ImportDeps['world'], tx: Tx, row: Import, arrived: ArrivedFile): Promise<KnownFile> {
  const { sha256, bytes, pdf } = arrived;
  const documentId = await createImportedDocument(world, tx, row, arrived);
  const filed = { documentId, sha256, bytes, pages: pdf.pageCount };
  await rememberFile(tx, row.account_id, filed);
  await chargeStorage(tx, row.account_id, bytes);
  return filed;
}
