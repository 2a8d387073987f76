import { readPlan } from '../accounts/read-plan.ts';
import { recordAttachment } from '../documents/attach-file.ts';
import { createDocument } from '../documents/create-document.ts';
import type { Document } from '../documents/document.ts';
import { lockDocument } from '../documents/queries.ts';
import { retainFile, storeFile } from '../documents/stored-files.ts';
import type { PdfInspection } from '../pdf/pdfium/inspect-pdf.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { chargeStorage, lockImportUsage, readImportUse, storageLeft } from '../usage/import-quota.ts';
import { type FailureReason, type Import, starterOf } from './import.ts';
import type { ImportDeps } from './import-deps.ts';
import { findKnownFile, type KnownFile, rememberFile, rememberLink, rememberRevision } from './known-files.ts';
import type { Lease } from './lease.ts';
import type { Saved } from './receive-file.ts';
import { endItem, failItem, readReserved } from './settle-item.ts';
import type { SourceFile } from './sources/source-file.ts';
import { asStorageError } from './storage-error.ts';
import { attachedNameOf, titleOf } from './title-of.ts';

/** The result of importing one file: a new file, one that was imported before, or a failure. */
export type Arrival =
  | { kind: 'arrived'; file: ArrivedFile }
  | { kind: 'known'; known: KnownFile }
  | { kind: 'failed'; reason: FailureReason };

/** An import with the lease under which the outcomes of its files are recorded. */
export interface Leased {
  import: Import;
  lease: Lease;
}

type SettledItem = { id: string } & Pick<SourceFile, 'revision' | 'linkHash'>;

type SettlingDeps = Pick<ImportDeps, 'world' | 'database' | 'plans' | 'unlock' | 'inTurn'>;

/** Checks a received file on this disk and moves a new one into the file store. Throws `StorageError` if the store fails. */
export async function storeArrival(
  { world, database, files, pdfReader }: Pick<ImportDeps, 'world' | 'database' | 'files' | 'pdfReader'>,
  accountId: string,
  { path, sha256, bytes }: Extract<Saved, { kind: 'received' }>,
  name: string | null,
): Promise<Arrival> {
  const known = await findKnownFile(database, accountId, { revision: null, sha256 });
  if (known !== null) return { kind: 'known', known };
  const pdf = await pdfReader.inspect(path, accountId);
  if (!pdf.ok) return { kind: 'failed', reason: 'invalid_pdf' };
  await asStorageError(storeFile(world, database, files, { sha256, bytes }, path));
  return { kind: 'arrived', file: { name, sha256, bytes, pdf } };
}

/**
 * Creates the document, charges its storage and ends the item, in one transaction. A new file that has reserved too little fails
 * when the month's storage has no room. Throws `LeaseLost`, and what the database throws.
 */
export async function settleArrival(
  deps: SettlingDeps,
  leased: Leased,
  item: SettledItem,
  arrival: Arrival,
): Promise<void> {
  const { world, database, inTurn } = deps;
  if (arrival.kind === 'failed') return failItem(world, database, leased.lease, item.id, arrival.reason);
  await inTurn(leased.import.account_id, () => database.transaction((tx) => record(deps, tx, leased, item, arrival)));
}

/** Holds the account's lock, so that of two imports of the same file the second finds the document of the first. */
async function record(
  { world, plans, unlock }: Pick<SettlingDeps, 'world' | 'plans' | 'unlock'>,
  tx: Tx,
  { import: row, lease }: Leased,
  { id, revision, linkHash }: SettledItem,
  arrival: Exclude<Arrival, { kind: 'failed' }>,
): Promise<void> {
  const accountId = row.account_id;
  await lockImportUsage(tx, accountId, world.clock.now());
  const { sha256 } = arrival.kind === 'arrived' ? arrival.file : arrival.known;
  const known = await findKnownFile(tx, accountId, { revision, sha256 });
  if (known === null && arrival.kind === 'arrived') {
    const hasRoom = await hasRoomFor({ world, plans }, tx, accountId, { id, bytes: arrival.file.bytes });
    if (!hasRoom) return failItem(world, tx, lease, id, 'storage_unavailable');
  }
  const filed = known ?? (arrival.kind === 'known' ? arrival.known : await createNew(world, tx, row, arrival.file));
  if (revision !== null) await rememberRevision(tx, accountId, revision, filed.sha256);
  if (linkHash !== null) await rememberLink(tx, accountId, linkHash, filed.sha256);
  const outcome = { ...filed, isDuplicate: known !== null, isToUnlock: unlock !== null };
  await endItem(world, tx, lease, id, outcome);
  const { documentId } = filed;
  if (row.unlock_doc) await unlock?.enqueue(tx, { accountId, documentId, itemId: id, sha256: filed.sha256 });
}

/** Whether the item has reserved the storage of its file, or the month has room for what it has not. */
async function hasRoomFor(
  { world, plans }: Pick<SettlingDeps, 'world' | 'plans'>,
  tx: Tx,
  accountId: string,
  item: { id: string; bytes: number },
): Promise<boolean> {
  const missing = item.bytes - (await readReserved(tx, item.id));
  if (missing <= 0) return true;
  const plan = await readPlan(tx, plans, accountId);
  return plan !== null && storageLeft(plan, await readImportUse(tx, accountId, world.clock.now())) >= missing;
}

async function createNew(world: ImportDeps['world'], tx: Tx, row: Import, arrived: ArrivedFile): Promise<KnownFile> {
  const { sha256, bytes, pdf } = arrived;
  const documentId = await createImportedDocument(world, tx, row, arrived);
  const filed = { documentId, sha256, bytes, pages: pdf.pageCount };
  await rememberFile(tx, row.account_id, filed);
  await chargeStorage(tx, row.account_id, bytes);
  return filed;
}

/** A checked PDF whose bytes are in the file store. */
export interface ArrivedFile {
  name: string | null;
  sha256: Buffer;
  bytes: number;
  pdf: Extract<PdfInspection, { ok: true }>;
}

/**
 * Creates a draft of type `other` for an imported file, titled by its name, with the file attached and no recipients.
 * Returns the document's id.
 */
async function createImportedDocument(
  world: World,
  tx: Tx,
  row: Import,
  { name, sha256, bytes, pdf }: ArrivedFile,
): Promise<string> {
  const { account_id: accountId } = row;
  const actor = starterOf(row);
  // Test keys can't import.
  const creator = { accountId, actor, mode: 'live', expiresByDefault: row.source === 'upload' } as const;
  const { id } = await createDocument(world, tx, creator, { title: titleOf(name), type: 'other', recipients: [] });
  const draft = (await lockDocument(tx, accountId, id, 'all')) as Document;
  await retainFile(tx, { sha256, bytes });
  const { pages, isSigned } = pdf;
  const file = { sha256, bytes, name: attachedNameOf(name), pages, isSigned };
  await recordAttachment(world, tx, draft, actor, file);
  return id;
}
