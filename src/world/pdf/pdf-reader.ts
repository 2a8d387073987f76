import { fileURLToPath } from 'node:url';
import type { Log } from '../log.ts';
import type { PdfInspection } from './pdfium/inspect-pdf.ts';
import type { ReadJob, ReadResult } from './pdfium/jobs.ts';
import type { PageText } from './pdfium/page-text.ts';
import type { PageImage } from './pdfium/render-page.ts';
import { PdfWorkerError } from './process/pdf-worker-error.ts';
import { createProcessPool } from './process/process-pool.ts';

/**
 * Reads PDFs that strangers made, in child processes with limits on time and memory. Files are named by their paths and
 * must not change. Every method throws a `PdfWorkerError` with `busy` when too many jobs wait already, or `closed`.
 */
export interface PdfReader {
  /** Every file gets an answer, also one that brings its process down. */
  inspect(path: string): Promise<PdfInspection>;
  /** A page (from 1) of a file that passed inspection. Throws a `PdfWorkerError` for a page that cannot be shown. */
  renderPage(path: string, page: number, width: number): Promise<PageImage>;
  pageText(path: string, page: number): Promise<PageText>;
  close(): Promise<void>;
}

export interface PdfReaderOptions {
  log: Log;
  inspectMs?: number;
  pageMs?: number;
  /** Of one process. */
  memoryMaxBytes?: number;
}

const entry = fileURLToPath(new URL('./pdfium/main.ts', import.meta.url));
const inspectMsDefault = 30_000;
const pageMsDefault = 20_000;
/** PDFium reads from the disk what it needs: 150 MB of images take far less, but a page may unpack to a lot. */
const memoryMaxBytesDefault = 1536 * 2 ** 20;
const shared = { name: 'read', entry, jobsMax: 500, idleMs: 30_000 };

type InspectJob = Extract<ReadJob, { kind: 'inspect' }>;
type PageJob = Exclude<ReadJob, InspectJob>;

export function createPdfReader(options: PdfReaderOptions): PdfReader {
  const { log, inspectMs = inspectMsDefault, pageMs = pageMsDefault } = options;
  const memoryMaxBytes = options.memoryMaxBytes ?? memoryMaxBytesDefault;
  const limits = { ...shared, log, memoryMaxBytes };
  // Apart from those that show pages, so that a stranger's file holds up nobody who is signing.
  const inspectors = createProcessPool<InspectJob, Pick<ReadResult, 'inspect'>>({
    ...limits,
    processes: 1,
    queueMax: 50,
    timeoutMs: inspectMs,
    unlogged: ['inspect'],
  });
  const pages = createProcessPool<PageJob, Omit<ReadResult, 'inspect'>>({
    ...limits,
    processes: 2,
    queueMax: 200,
    timeoutMs: pageMs,
  });

  return {
    async inspect(path) {
      try {
        return await inspectors.run<'inspect'>({ kind: 'inspect', path });
      } catch (error) {
        const failure = error instanceof PdfWorkerError ? error.failure : null;
        if (failure === 'timeout' || failure === 'memory' || failure === 'crashed')
          return { ok: false, reason: 'too_complex' };
        throw error;
      }
    },
    renderPage: (path, page, width) => pages.run<'render'>({ kind: 'render', path, page, width }),
    pageText: (path, page) => pages.run<'text'>({ kind: 'text', path, page }),
    async close() {
      await Promise.all([inspectors.close(), pages.close()]);
    },
  };
}
