import { serveJobs } from '../process/serve-jobs.ts';
import type { Joining, JoinJob } from './jobs.ts';

/** Entry point of the process that joins PDFs. */
serveJobs(run);

async function run({ parts, output }: JoinJob): Promise<Joining> {
  const { joinPdfs } = await import('./join-pdfs.ts');
  return joinPdfs(parts, output);
}
