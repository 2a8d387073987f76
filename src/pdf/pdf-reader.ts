import { fileURLToPath } from 'node:url';
import type { Log } from '../platform/log.ts';
import type { Joining, JoinJob, PartToJoin } from './joining/jobs.ts';
import type { FormField } from './pdfium/form-fields.ts';
import type { PdfInspection } from './pdfium/inspect-pdf.ts';
import type { ReadJob, ReadResult } from './pdfium/jobs.ts';
import type { PageText } from './pdfium/page-text.ts';
import type { PageImage } from './pdfium/render-page.ts';
import type { StampPicture } from './pictures/make-stamp.ts';
import { PdfWorkerError } from './process/pdf-worker-error.ts';
import { createProcessPool } from './process/process-pool.ts';

/**
 * Reads untrusted PDFs in child processes with time and memory limits. Files are given as paths and must not change. Companies, the
 * owners of the files, take turns: one whose files take long delays the others by one file at a time.
 *
 * @throws (every method) a `PdfWorkerError` with `busy` when too many jobs are waiting, or with `closed`.
 */
export interface PdfReader {
  /** Inspects a file. A file that crashes its process is refused as `too_complex`. */
  inspect(path: string, owner: string): Promise<PdfInspection>;
  /** Renders a page (from 1) of an inspected file. Throws a `PdfWorkerError` when the page cannot be rendered. */
  renderPage(path: string, page: number, width: number, owner: string): Promise<PageImage>;
  pageText(path: string, page: number, owner: string): Promise<PageText>;
  /** Returns the fields of the file's form that people fill in. Throws a `PdfWorkerError` when it cannot be read. */
  formFields(path: string, owner: string): Promise<FormField[]>;
  /**
   * Joins inspected files into one, which is written to `output`. The part is null when no single one is to blame: together they take
   * too long or too much memory.
   */
  join(parts: readonly PartToJoin[], output: string, owner: string): Promise<Joining | { ok: false; part: null }>;
  /** Makes the picture of a stamp from an image file. */
  makeStamp(path: string): Promise<StampPicture>;
  close(): Promise<void>;
}

export interface PdfReaderOptions {
  log: Log;
  inspectMs?: number;
  pageMs?: number;
  /** Memory limit per process. */
  memoryMaxBytes?: number;
}

const entry = fileURLToPath(new URL('./pdfium/main.ts', import.meta.url));
const inspectMsDefault = 30_000;
const pageMsDefault = 20_000;
const joinMs = 60_000;
const joinEntry = fileURLToPath(new URL('./joining/main.ts', import.meta.url));
/** PDFium reads files from disk on demand, so large files need little memory. Decompressing a page may need a lot. */
const memoryMaxBytesDefault = 1536 * 2 ** 20;
const shared = { name: 'read', entry, jobsMax: 500, idleMs: 30_000 };

type InspectJob = Extract<ReadJob, { kind: 'inspect' }>;
type StampJob = Extract<ReadJob, { kind: 'stamp' }>;
type PageJob = Exclude<ReadJob, InspectJob | StampJob>;

export function createPdfReader(options: PdfReaderOptions): PdfReader {
  const { log, inspectMs = inspectMsDefault, pageMs = pageMsDefault } = options;
  const memoryMaxBytes = options.memoryMaxBytes ?? memoryMaxBytesDefault;
  const limits = { ...shared, log, memoryMaxBytes };
  // A separate pool, so that new uploads do not delay pages for signers.
  const inspectors = createProcessPool<InspectJob, Pick<ReadResult, 'inspect'>>({
    ...limits,
    processes: 1,
    queueMax: 200,
    ownerQueueMax: 50,
    timeoutMs: inspectMs,
    unlogged: ['inspect'],
  });
  // Separate from both: a recipient's picture can take seconds, and must not delay the uploads of companies.
  const stamps = createProcessPool<StampJob, Pick<ReadResult, 'stamp'>>({
    ...limits,
    processes: 1,
    queueMax: 20,
    timeoutMs: pageMs,
    unlogged: ['stamp'],
  });
  const pages = createProcessPool<PageJob, Omit<ReadResult, 'inspect' | 'stamp'>>({
    ...limits,
    processes: 2,
    queueMax: 400,
    ownerQueueMax: 200,
    timeoutMs: pageMs,
  });
  const joiners = createProcessPool<JoinJob, { join: Joining }>({
    ...limits,
    name: 'join',
    entry: joinEntry,
    processes: 1,
    queueMax: 40,
    ownerQueueMax: 20,
    timeoutMs: joinMs,
    unlogged: ['join'],
  });

  return {
    async inspect(path, owner) {
      try {
        return await inspectors.run<'inspect'>({ kind: 'inspect', path }, { owner });
      } catch (error) {
        if (isTooComplex(error)) return { ok: false, reason: 'too_complex' };
        throw error;
      }
    },
    renderPage: (path, page, width, owner) => pages.run<'render'>({ kind: 'render', path, page, width }, { owner }),
    pageText: (path, page, owner) => pages.run<'text'>({ kind: 'text', path, page }, { owner }),
    formFields: (path, owner) => pages.run<'form'>({ kind: 'form', path }, { owner }),
    async join(parts, output, owner) {
      try {
        return await joiners.run<'join'>({ kind: 'join', parts, output }, { owner });
      } catch (error) {
        if (isTooComplex(error)) return { ok: false, part: null };
        throw error;
      }
    },
    async makeStamp(path) {
      try {
        return await stamps.run<'stamp'>({ kind: 'stamp', path });
      } catch (error) {
        if (isTooComplex(error)) return { ok: false };
        throw error;
      }
    },
    async close() {
      await Promise.all([inspectors.close(), stamps.close(), pages.close(), joiners.close()]);
    },
  };
}

/** Whether the file is to blame, and not the service. */
function isTooComplex(error: unknown): boolean {
  const failure = error instanceof PdfWorkerError ? error.failure : null;
  return failure === 'timeout' || failure === 'memory' || failure === 'crashed';
}
