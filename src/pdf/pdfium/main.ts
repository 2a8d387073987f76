import { serveJobs } from '../process/serve-jobs.ts';
import type { ReadJob, ReadResult } from './jobs.ts';
import type { OpenDocument } from './open-document.ts';

/** Entry point of the process that reads PDFs. It keeps the last file open, because the next job is often for its next page. */
serveJobs(run);

let kept: { path: string; document: OpenDocument } | null = null;

/** Runs a job. Libraries are imported here, so that the service receives errors from loading them. */
async function run(job: ReadJob): Promise<ReadResult[ReadJob['kind']]> {
  switch (job.kind) {
    case 'inspect': {
      const { inspectPdf } = await import('./inspect-pdf.ts');
      return inspectPdf(await pdfium(), job.path);
    }
    case 'render': {
      const { renderPage } = await import('./render-page.ts');
      return renderPage(await open(job.path), job.page, job.width);
    }
    case 'form': {
      // Opened for itself: the pages of a document that is kept open may have been drawn.
      const [{ openDocument }, { readFormFields }] = await Promise.all([
        import('./open-document.ts'),
        import('./form-fields.ts'),
      ]);
      const document = openDocument(await pdfium(), job.path);
      if (typeof document === 'string') throw new Error(`the PDF cannot be opened: ${document}`);
      try {
        return readFormFields(document);
      } finally {
        document.close();
      }
    }
    case 'stamp': {
      const { makeStamp } = await import('../pictures/make-stamp.ts');
      return makeStamp(await pdfium(), job.path);
    }
    case 'text': {
      const { readShownText } = await import('./shown-text.ts');
      return readShownText(await open(job.path), job.page);
    }
  }
}

async function open(path: string): Promise<OpenDocument> {
  if (kept?.path === path) return kept.document;
  kept?.document.close();
  kept = null;
  const { openDocument } = await import('./open-document.ts');
  const document = openDocument(await pdfium(), path);
  if (typeof document === 'string') throw new Error(`the PDF cannot be opened: ${document}`);
  kept = { path, document };
  return document;
}

async function pdfium() {
  const { loadPdfium } = await import('./load-pdfium.ts');
  return loadPdfium();
}
