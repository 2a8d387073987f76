import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseFailure } from '../postgres/database.ts';
import type { FilePlace } from './file-order.ts';
import type { ImportDeps } from './import-deps.ts';
import { findKnownFile } from './known-files.ts';
import { LeaseLost } from './lease.ts';
import { receiveFile } from './receive-file.ts';
import { type Arrival, type Leased, settleArrival, storeArrival } from './settle-arrival.ts';
import { beginItem, failItem } from './settle-item.ts';
import type { FetchableContent, SourceFile } from './sources/source-file.ts';
import { asStorageError, createStorageRetry, isUnavailable } from './storage-error.ts';
import { cleanName } from './title-of.ts';

/** An import that this process runs. */
export interface Run extends Leased {
  /** Aborted when the process stops or another process takes the import over. */
  signal: AbortSignal;
}

export interface RunningItem {
  id: string;
  file: SourceFile;
}

/** A broken download is tried once more. Further attempts would keep the client waiting too long. */
const attemptsMax = 2;

/**
 * Imports one file and records the outcome. Downloads and checks it first, without an open transaction; then one
 * transaction creates the document, charges its storage and ends the item. Throws if the outcome can't be recorded, if
 * the lease is lost or `run.signal` is aborted; the item then stays open for the process that continues.
 */
export async function importFile(deps: ImportDeps, run: Run, item: RunningItem, place: FilePlace): Promise<void> {
  const { world, database } = deps;
  const { id, file } = item;
  const { revision, linkHash } = file;
  try {
    const arrival = await runFile(deps, run, item, place);
    if (arrival.kind === 'arrived') await place.waitForEarlier(arrival.file.bytes);
    await settleArrival(deps, run, { id, revision, linkHash }, arrival);
  } catch (error) {
    run.signal.throwIfAborted();
    if (error instanceof DatabaseFailure || error instanceof LeaseLost) throw error;
    // The disk, the file store or the PDF reader failed. Only this file fails; the import continues.
    world.log.error('a file could not be imported', { import_id: run.import.id, item_id: id, error });
    const reason = isUnavailable(error) ? 'storage_unavailable' : 'download_failed';
    await failItem(world, database, run.lease, id, reason);
  }
}

async function runFile(deps: ImportDeps, run: Run, { id, file }: RunningItem, place: FilePlace): Promise<Arrival> {
  const { content, revision } = file;
  if (content.kind === 'fails') return { kind: 'failed', reason: content.reason };
  const known = await findKnownFile(deps.database, run.import.account_id, { revision, sha256: null });
  if (known !== null) return { kind: 'known', known };
  const retrying = createStorageRetry(deps.limits.storageMsMax, run.signal);
  return deps.slots.use(run.import.account_id, run.signal, () =>
    retrying(() => download(deps, run, { id, name: file.name, content, place }, retrying)),
  );
}

async function download(
  deps: ImportDeps,
  run: Run,
  wanted: { id: string; name: string | null; content: FetchableContent; place: FilePlace },
  retrying: ReturnType<typeof createStorageRetry>,
): Promise<Arrival> {
  const path = join(deps.incomingDir, randomBytes(16).toString('hex'));
  try {
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const opened = await wanted.content.open(run.signal);
      if (opened.kind === 'failed') return opened;
      wanted.place.declare(opened.declaredBytes);
      const name = wanted.name ?? cleanName(opened.name);
      const begun = beginItem(deps.database, run.lease, wanted.id, { name, declaredBytes: opened.declaredBytes });
      await begun.catch((error) => {
        opened.body.destroy();
        throw error;
      });
      const received = await asStorageError(
        receiveFile({ ...wanted.content, htmlReason: opened.htmlReason }, opened, path),
      );
      if (received.kind === 'received') {
        return await retrying(() => storeArrival(deps, run.import.account_id, received, name));
      }
      if (received.kind === 'failed') return received;
      if (received.kind === 'slow') break;
    }
    return { kind: 'failed', reason: 'download_failed' };
  } finally {
    await rm(path, { force: true });
  }
}
