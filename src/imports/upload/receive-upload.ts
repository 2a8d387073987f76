import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PdfWorkerError } from '../../pdf/process/pdf-worker-error.ts';
import { DatabaseFailure } from '../../postgres/database.ts';
import { fileBytesMax } from '../import.ts';
import type { UploadDeps } from '../import-deps.ts';
import { LeaseLost } from '../lease.ts';
import { type Saved, saveFile } from '../receive-file.ts';
import { type Arrival, type Leased, settleArrival, storeArrival } from '../settle-arrival.ts';
import { failItem } from '../settle-item.ts';
import { asStorageError, StorageError } from '../storage-error.ts';
import { type Begun, beginFile } from './begin-file.ts';
import type { UploadedItem } from './find-outcome.ts';
import { keepUpload, uploadLease } from './upload-lease.ts';

/** One file that a browser sends, or the operator's command line. */
export interface Upload extends UploadedItem {
  /** The size that the request declares, or null. */
  declaredBytes: number | null;
  body: AsyncIterable<Buffer>;
  /** Whether the connection has ended, which makes reading `body` fail. */
  isCutOff: () => boolean;
}

/** `busy`: the PDF reader has no room, or the process stops. The item stays open, and the file can be sent again soon. */
type Received = 'ended' | 'cut_off' | 'closing' | 'busy' | 'not_found';

const content = { bytesMax: fileBytesMax, tooLarge: 'too_large', htmlReason: 'unsupported_type' } as const;
const renewalMs = 5000;

/**
 * Receives one file of an upload and records its outcome, as for every other import. An interrupted file stays open, so
 * that the browser can send it again; otherwise a worker ends it. Throws what `beginFile` throws, and if the database
 * fails.
 */
export function receiveUpload(deps: UploadDeps, upload: Upload): Promise<Received> {
  const receiving = receive(deps, upload).finally(() => deps.underWay.delete(receiving));
  deps.underWay.add(receiving);
  return receiving;
}

async function receive(deps: UploadDeps, upload: Upload): Promise<Received> {
  const bytesMax = Math.min(upload.declaredBytes ?? fileBytesMax, fileBytesMax);
  const begun: Begun = await deps.database.transaction((tx) => beginFile(deps, tx, { ...upload, bytesMax }));
  if (begun.kind === 'over') return 'ended';
  if (begun.kind !== 'begun') return begun.kind;
  const leased = { import: begun.import, lease: uploadLease(upload.importId) };
  try {
    return await receiveBody(deps, leased, upload, begun.name);
  } catch (error) {
    if (error instanceof LeaseLost) return 'ended';
    if (error instanceof DatabaseFailure) throw error;
    if (upload.isCutOff()) return 'cut_off';
    if (error instanceof PdfWorkerError && (error.failure === 'busy' || error.failure === 'closed')) return 'busy';
    deps.world.log.error('an uploaded file could not be imported', { import_id: upload.importId, error });
    const reason = error instanceof StorageError ? 'storage_unavailable' : 'download_failed';
    await failItem(deps.world, deps.database, leased.lease, upload.itemId, reason);
    return 'ended';
  }
}

async function receiveBody(deps: UploadDeps, leased: Leased, upload: Upload, name: string | null): Promise<'ended'> {
  const path = join(deps.incomingDir, randomBytes(16).toString('hex'));
  const hold = renewWhileReceiving(deps, upload);
  try {
    const saved = await asStorageError(save(upload, path, hold.onBytes));
    hold.isWhole();
    const arrival: Arrival = saved.kind === 'failed' ? saved : await storeArrival(deps, upload.accountId, saved, name);
    await settleArrival(deps, leased, { id: upload.itemId, revision: null, linkHash: null }, arrival);
    return 'ended';
  } finally {
    hold.end();
    await rm(path, { force: true });
  }
}

/** Saves the file, unless its declared size is already too large. */
async function save({ declaredBytes, body }: Upload, path: string, onBytes: () => void): Promise<Saved> {
  if (declaredBytes !== null && declaredBytes > fileBytesMax) return { kind: 'failed', reason: content.tooLarge };
  return saveFile(content, body, path, onBytes);
}

/** Renews the lease while bytes come and while the received file is checked. `onBytes` throws once the lease is lost. */
function renewWhileReceiving({ world, database }: UploadDeps, upload: Upload) {
  let hasCome = true;
  let isWhole = false;
  let isLost = false;
  const renew = async () => {
    if (!hasCome && !isWhole) return;
    hasCome = false;
    isLost = !(await keepUpload(world, database, upload));
  };
  const timer = setInterval(() => {
    renew().catch((error) => world.log.warn('could not renew the lease of an upload', { error }));
  }, renewalMs);
  return {
    onBytes() {
      hasCome = true;
      if (isLost) throw new LeaseLost();
    },
    isWhole() {
      isWhole = true;
    },
    end: () => clearInterval(timer),
  };
}
