import { serveJobs } from '../../../pdf/process/serve-jobs.ts';
import type { RenderJob } from './jobs.ts';

/** Entry of the process that makes PDFs of unlocked documents. Libraries load with the first job. */
serveJobs(async (job: RenderJob) => {
  const { renderPages } = await import('./render-pages.ts');
  return renderPages(job);
});
