import { serveJobs } from '../../world/pdf/process/serve-jobs.ts';
import type { UnlockJob } from './jobs.ts';

/** The process that unlocks. The libraries load with the first job, where a failure reaches the service as its error. */
serveJobs(async (job: UnlockJob) => {
  const { convert } = await import('./convert.ts');
  return convert(job);
});
