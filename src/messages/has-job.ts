import type { Job } from './job-queue.ts';

/**
 * Returns the SQL condition that a job of an exclusive queue waits or runs. The queue would drop a second one, but it would push the
 * company's next jobs back all the same. `subject`: an expression for what the job is about, as text.
 */
export function hasJob(name: Job['name'], subject: string): string {
  return `exists (
    select from jobs.job
    where name = '${name}' and coalesce(singleton_key, '') = ${subject} and state <= 'active' and policy = 'exclusive')`;
}
