import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { storeFile } from '../../documents/stored-files.ts';
import type { OpenedDocument, VendorRefusal } from '../../esign/vendor/vendor.ts';
import type { PdfInspection } from '../../pdf/pdfium/inspect-pdf.ts';
import { type FailureReason, fileBytesMax } from '../import.ts';
import type { ImportDeps } from '../import-deps.ts';
import { receiveFile } from '../receive-file.ts';
import type { ClaimedEnvelope, KnownEnvelope } from './claim-envelopes.ts';
import type { VendorClient } from './vendor-client.ts';

/** A received file on this disk that hasn't been checked yet. */
export interface ReceivedFile {
  path: string;
  sha256: Buffer;
  bytes: number;
}

/** A PDF whose bytes are in the file store. */
export interface StoredPdf {
  sha256: Buffer;
  bytes: number;
  pdf: Extract<PdfInspection, { ok: true }>;
}

export type Outcome =
  | { kind: 'filed'; file: StoredPdf }
  | { kind: 'known'; known: KnownEnvelope }
  | { kind: 'failed'; reason: FailureReason };

export type Fetched =
  | { kind: 'received'; file: ReceivedFile }
  | Exclude<Outcome, { kind: 'filed' }>
  /** A failure that is tried again. `counts`: the attempt counts, because this envelope fails and not the vendor. */
  | { kind: 'again'; counts: boolean; reason: FailureReason };

/* biome-ignore format: a table reads as a table */
const reasons: Record<VendorRefusal | 'unanswered', FailureReason> = {
  not_found:         'not_found',
  permission_denied: 'permission_denied',
  too_large:         'too_large',
  unanswered:        'source_unavailable',
  other:             'download_failed',
};

const rules = { bytesMax: fileBytesMax, tooLarge: 'too_large', htmlReason: 'download_failed' } as const;

/** Downloads an envelope's PDF to a temporary file. Makes no call for an envelope that is known, faulty or purged. */
export async function fetchEnvelope(
  { incomingDir }: Pick<ImportDeps, 'incomingDir'>,
  client: VendorClient,
  { envelope, known }: ClaimedEnvelope,
): Promise<Fetched> {
  if (known !== null) return { kind: 'known', known };
  if (envelope.fault) return { kind: 'failed', reason: envelope.fault };
  if (envelope.isPurged) return { kind: 'failed', reason: 'not_found' };
  const asked = await client.open(envelope.id);
  if (asked.kind === 'trouble') return { kind: 'again', counts: asked.isItself, reason: 'source_unavailable' };
  if (asked.kind === 'refused') return { kind: 'failed', reason: reasons[asked.why] };
  return receive(asked.value, join(incomingDir, randomBytes(16).toString('hex')));
}

async function receive(opened: OpenedDocument, path: string): Promise<Fetched> {
  const file = await receiveFile(rules, opened, path);
  switch (file.kind) {
    case 'received':
      return { kind: 'received', file };
    case 'failed':
      // The vendor shows an HTML page instead of a PDF during maintenance.
      return file.reason === rules.htmlReason ? { kind: 'again', counts: true, reason: file.reason } : file;
    case 'broken':
    case 'slow':
      return { kind: 'again', counts: true, reason: 'download_failed' };
  }
}

/**
 * Checks a received file and moves it into the file store, using one of the process's slots. Whatever happens, nothing
 * is left at the file's path.
 */
export async function storeReceived(
  { world, database, files, pdfReader, slots }: ImportDeps,
  accountId: string,
  { path, sha256, bytes }: ReceivedFile,
  signal: AbortSignal,
): Promise<Outcome> {
  let isTaken = false;
  try {
    return await slots.use(accountId, signal, async () => {
      const pdf = await pdfReader.inspect(path, accountId);
      if (!pdf.ok) return { kind: 'failed', reason: 'invalid_pdf' };
      await storeFile(world, database, files, { sha256, bytes }, path);
      isTaken = true;
      return { kind: 'filed', file: { sha256, bytes, pdf } };
    });
  } finally {
    if (!isTaken) await rm(path, { force: true });
  }
}
