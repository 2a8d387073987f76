import { serveJobs } from '../../../pdf/process/serve-jobs.ts';
import type { UnlockJob } from './jobs.ts';

/** Entry of the processes that unlock. Libraries load with the first job, so that a failure becomes the job's error. */
serveJobs(async (job: UnlockJob) => {
  const { convert } = await import('./convert.ts');
  return convert(job);
});
