import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { storeFile } from '../documents/stored-files.ts';
import { DatabaseFailure, type Tx } from '../postgres/database.ts';
import { chargeStorage, lockImportUsage } from '../usage/import-quota.ts';
import { type ArrivedFile, fileNewDocument } from './file-new-document.ts';
import type { FailureReason, Import } from './import.ts';
import type { ImportMeans } from './import-means.ts';
import { findKnownFile, type KnownFile, rememberFile, rememberRevision } from './known-files.ts';
import { type Lease, LeaseLost } from './lease.ts';
import { type Received, receiveFile } from './receive-file.ts';
import { beginItem, failItem, fileItem } from './settle-item.ts';
import type { FetchableContent, SourceFile } from './sources/source-file.ts';
import { cleanName } from './title-of.ts';

/** An import that this process runs. */
export interface Run {
  import: Import;
  lease: Lease;
  /** Says to stop: the service does, or another process has taken the import over. */
  signal: AbortSignal;
}

export interface RunningItem {
  id: string;
  file: SourceFile;
}

type Arrival =
  | { kind: 'arrived'; file: ArrivedFile }
  | { kind: 'known'; known: KnownFile }
  | { kind: 'failed'; reason: FailureReason };

/** A way that broke is tried once more: what comes after that is not worth a client's waiting. */
const attemptsMax = 2;

/**
 * Brings one file in, and records what became of it: the network and the disk first, with no transaction open, then one
 * transaction for the document, what it is charged, and the end of the item. Throws when that cannot be recorded, when
 * the lease is lost and when told to stop; the item then stays as it is, for whoever goes on.
 */
export async function importFile(means: ImportMeans, run: Run, item: RunningItem): Promise<KnownFile | null> {
  const { world, database } = means;
  try {
    const arrival = await bringIn(means, run, item);
    if (arrival.kind !== 'failed') return await database.transaction((tx) => file(means, tx, run, item, arrival));
    await failItem(world, database, run.lease, item.id, arrival.reason);
  } catch (error) {
    run.signal.throwIfAborted();
    if (error instanceof DatabaseFailure || error instanceof LeaseLost) throw error;
    // The disk, the file store or the PDF reader: this file fails by it, the import goes on.
    world.log.error('a file could not be imported', { import_id: run.import.id, item_id: item.id, error });
    await failItem(world, database, run.lease, item.id, 'download_failed');
  }
  return null;
}

async function bringIn(means: ImportMeans, run: Run, { id, file }: RunningItem): Promise<Arrival> {
  const { content, revision } = file;
  if (content.kind === 'fails') return { kind: 'failed', reason: content.reason };
  const known = await findKnownFile(means.database, run.import.account_id, { revision, sha256: null });
  if (known !== null) return { kind: 'known', known };
  return means.slots.use(run.import.account_id, run.signal, () =>
    download(means, run, { id, name: file.name, content }),
  );
}

async function download(
  means: ImportMeans,
  run: Run,
  wanted: { id: string; name: string | null; content: FetchableContent },
): Promise<Arrival> {
  const path = join(means.incomingDir, randomBytes(16).toString('hex'));
  try {
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const opened = await wanted.content.open(run.signal);
      if (opened.kind === 'failed') return opened;
      const name = wanted.name ?? cleanName(opened.name);
      const begun = beginItem(means.database, run.lease, wanted.id, { name, declaredBytes: opened.declaredBytes });
      await begun.catch((error) => {
        opened.body.destroy();
        throw error;
      });
      const received = await receiveFile(wanted.content, opened, path);
      if (received.kind === 'received') return await store(means, run, received, name);
      if (received.kind === 'failed') return received;
      if (received.kind === 'slow') break;
    }
    return { kind: 'failed', reason: 'download_failed' };
  } finally {
    await rm(path, { force: true });
  }
}

async function store(
  { world, database, files, pdfReader }: ImportMeans,
  run: Run,
  { path, sha256, bytes }: Extract<Received, { kind: 'received' }>,
  name: string | null,
): Promise<Arrival> {
  const known = await findKnownFile(database, run.import.account_id, { revision: null, sha256 });
  if (known !== null) return { kind: 'known', known };
  const pdf = await pdfReader.inspect(path);
  if (!pdf.ok) return { kind: 'failed', reason: 'invalid_pdf' };
  await storeFile(world, database, files, { sha256, bytes }, path);
  return { kind: 'arrived', file: { name, sha256, bytes, pdf } };
}

/** Under the account's lock, so that of two imports of the same file the second finds what the first has filed. */
async function file(
  { world, unlock }: ImportMeans,
  tx: Tx,
  run: Run,
  { id, file: { revision } }: RunningItem,
  arrival: Exclude<Arrival, { kind: 'failed' }>,
): Promise<KnownFile> {
  const { account_id: accountId } = run.import;
  await lockImportUsage(tx, accountId, world.clock.now());
  const { sha256 } = arrival.kind === 'arrived' ? arrival.file : arrival.known;
  const known = await findKnownFile(tx, accountId, { revision, sha256 });
  const filed = known ?? (arrival.kind === 'known' ? arrival.known : await fileNew(world, tx, run, arrival.file));
  if (revision !== null) await rememberRevision(tx, accountId, revision, filed.sha256);
  const ending = { ...filed, isDuplicate: known !== null, isToUnlock: unlock !== null };
  await fileItem(world, tx, run.lease, id, ending);
  if (run.import.unlock_doc) await unlock?.owe(tx, { accountId, documentId: filed.documentId });
  return filed;
}

async function fileNew(world: ImportMeans['world'], tx: Tx, run: Run, arrived: ArrivedFile): Promise<KnownFile> {
  const { sha256, bytes, pdf } = arrived;
  const documentId = await fileNewDocument(world, tx, run.import, arrived);
  const filed = { documentId, sha256, bytes, pages: pdf.pageCount };
  await rememberFile(tx, run.import.account_id, filed);
  await chargeStorage(tx, run.import.account_id, bytes);
  return filed;
}
