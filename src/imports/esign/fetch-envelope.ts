import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { storeFile } from '../../documents/stored-files.ts';
import type { OpenedDocument, VendorRefusal } from '../../world/esign-vendor.ts';
import type { PdfInspection } from '../../world/pdf/pdfium/inspect-pdf.ts';
import { type FailureReason, fileBytesMax } from '../import.ts';
import type { ImportDeps } from '../import-deps.ts';
import { receiveFile } from '../receive-file.ts';
import type { ClaimedEnvelope, KnownEnvelope } from './claim-envelopes.ts';
import type { VendorClient } from './vendor-client.ts';

/** A file on this disk, received and not looked at. */
export interface ReceivedFile {
  path: string;
  sha256: Buffer;
  bytes: number;
}

/** Its bytes are in the store. */
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
  /** To be tried again, unless it was often enough. `counts`: it is this envelope that fails, not the vendor. */
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

/** The network's part: an envelope's PDF from the vendor to a temporary file. Known and purged ones ask for nothing. */
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
      // A page instead of a PDF is what is shown while something is mended.
      return file.reason === rules.htmlReason ? { kind: 'again', counts: true, reason: file.reason } : file;
    case 'broken':
    case 'slow':
      return { kind: 'again', counts: true, reason: 'download_failed' };
  }
}

/**
 * The disk's part: is it a PDF, and into the store with it, in one of the places that the process has for that. Nothing
 * is left at the file's path, whatever comes of it.
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
      const pdf = await pdfReader.inspect(path);
      if (!pdf.ok) return { kind: 'failed', reason: 'invalid_pdf' };
      await storeFile(world, database, files, { sha256, bytes }, path);
      isTaken = true;
      return { kind: 'filed', file: { sha256, bytes, pdf } };
    });
  } finally {
    if (!isTaken) await rm(path, { force: true });
  }
}
