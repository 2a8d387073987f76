import type { Command } from 'commander';
import { Refusal } from '../../errors.ts';
import type { RunningQueue } from '../../jobs/job-queue.ts';
import { queueNames } from '../../jobs/queues.ts';
import type { Job } from '../../messages/job-queue.ts';
import { describeFailed, type FailedJobView } from '../../operators/failed-jobs.ts';
import { retryJob, retryQueue } from '../../operators/retry-jobs.ts';
import { isUuid } from '../../platform/ids.ts';
import { oneOf, positiveInteger, UsageError } from '../core/arguments.ts';
import { noSuch } from '../core/by-id.ts';
import { type Session, withDatabase } from '../core/session.ts';
import { answer, card, table } from '../core/terminal.ts';

type QueueName = Job['name'];

interface ListOptions {
  queue?: QueueName;
  failed?: boolean;
  limit: number;
}

const limitDefault = 100;
const limitMax = 10_000;
const pageSize = 1000;
const byCommandLine = { personId: null };
const queueOption = ['--queue <name>', `one of ${queueNames().join(', ')}`, oneOf('--queue', queueNames())] as const;

export function define(job: Command): void {
  job
    .command('list')
    .description('show how many jobs each queue has, or with --failed those that were given up in the last day')
    .option(...queueOption)
    .option('--failed', 'list the failed jobs, those that failed last first')
    .option(
      '--limit <n>',
      `maximum number of failed jobs, at most ${limitMax}`,
      positiveInteger('--limit'),
      limitDefault,
    )
    .action(async (options: ListOptions, command: Command) => {
      if (options.limit > limitMax) throw new UsageError(`--limit must be at most ${limitMax}`);
      if (options.failed === true) {
        const jobs = await withQueue((session, queue) => listFailed(session, queue, options));
        return answer(command, jobs, (rows) => table(rows.map(jobRow), 'no failed jobs'));
      }
      const queues = await withQueue((_session, queue) => queue.overview());
      const shown = queues.filter(({ queue }) => options.queue === undefined || queue === options.queue);
      answer(command, shown, (rows) =>
        table(
          rows.map(({ ready_since, ...rest }) => ({ ...rest, ready_since: ready_since?.toISOString() ?? null })),
          'no queues',
        ),
      );
    });

  job
    .command('retry [id]')
    .description('enqueue a failed job again, or with --queue all failed jobs of a queue')
    .option(...queueOption)
    .action(async (id: string | undefined, { queue: name }: { queue?: QueueName }, command: Command) => {
      if ((id === undefined) === (name === undefined)) throw new UsageError('give the id of a job, or --queue');
      const retried = await withQueue((session, queue) =>
        id === undefined ? retryAll(session, queue, name as QueueName) : retryOne(session, queue, id),
      );
      answer(command, { retried }, card);
    });
}

async function withQueue<Result>(work: (session: Session, queue: RunningQueue) => Promise<Result>): Promise<Result> {
  return withDatabase(async (session) => {
    const { migrateQueue, startQueue } = await import('../../jobs/job-queue.ts');
    // An older version of the service may not have prepared what is read here.
    await migrateQueue(session.databaseUrl, session.world.log);
    const queue = await startQueue(session.databaseUrl, session.world.log, false);
    try {
      return await work(session, queue);
    } finally {
      await queue.stop();
    }
  });
}

async function listFailed({ db }: Session, queue: RunningQueue, { queue: name, limit }: ListOptions) {
  const jobs: FailedJobView[] = [];
  for (let afterId: string | null = null; jobs.length < limit; afterId = jobs.at(-1)?.id ?? null) {
    const wanted = Math.min(pageSize, limit - jobs.length);
    const page: FailedJobView[] = await describeFailed(
      db,
      (await queue.failed({ queue: name ?? null, afterId, limit: wanted })) ?? [],
    );
    jobs.push(...page);
    if (page.length < wanted) break;
  }
  return jobs;
}

async function retryOne({ world, db }: Session, queue: RunningQueue, id: string): Promise<number> {
  const job = isUuid(id) ? await queue.findFailed(id) : null;
  if (job === null) throw noSuch('failed job', id);
  if (!(await retryJob(world, db, queue, job, byCommandLine))) {
    throw new Refusal('the job was retried already, or another job does its work');
  }
  return 1;
}

async function retryAll({ world, db }: Session, queue: RunningQueue, name: QueueName): Promise<number> {
  for (let all = 0; ; ) {
    const { retried, is_more } = await retryQueue(world, db, queue, name, byCommandLine);
    all += retried;
    if (!is_more) return all;
  }
}

function jobRow({ id, queue, failed_at, tries, account_id, document_id, error }: FailedJobView) {
  return { id, queue, failed_at, tries, account: account_id, document: document_id, error };
}
